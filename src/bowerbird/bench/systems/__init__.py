"""The systems compared with the product in `bench growth`, run by `bench.worker`."""
