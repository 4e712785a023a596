"""One module a verb: see `bowerbird.surfaces`, which holds what a verb is."""
