"""Systems that stand beside the product in `bench growth`, run by `bench.worker`."""
