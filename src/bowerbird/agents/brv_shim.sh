#!/bin/sh
# bowerbird: made by `bower install brv-shim`; `bower install brv-shim --uninstall` takes it away.
# Answers `brv query`, `brv curate` and `brv status` from Bowerbird's memory, in plain text.
verb=$1
[ $# -eq 0 ] || shift
[ "$1" != "--" ] || shift
case $verb in
    query | search)
        exec __LINE__ query --format text --quiet --limit 5 -- "$*"
        ;;
    curate)
        case $* in
            # A talk as it went is kept as such, and fades.
            "User: "* | "[Pre-compression context]"*) set -- --kind context --tags brv -- "$*" ;;
            *) set -- --tags brv -- "$*" ;;
        esac
        exec __LINE__ curate --format text "$@"
        ;;
    status)
        exec __LINE__ status --format text
        ;;
    --version | version)
        echo "brv of Bowerbird __VERSION__"
        ;;
    *)
        echo "brv of Bowerbird answers query, curate and status alone; see: bower --help" >&2
        exit 2
        ;;
esac
