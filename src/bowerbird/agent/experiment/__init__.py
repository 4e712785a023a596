"""What is memory good for? An experiment of the user's own, and what outcomes speak for."""
