"""What does time do to a memory? From the door it comes in by to the day it goes."""
