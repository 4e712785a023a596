"""One module a verb: see `bowerbird.surfaces.fields`, which holds what a verb is."""
