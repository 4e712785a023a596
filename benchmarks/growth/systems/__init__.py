"""The systems compared with the product in the growth measurement, run by `growth.worker`."""
