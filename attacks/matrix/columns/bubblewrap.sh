#!/bin/sh
# Replaces `holdfast run`: bubblewrap as agents use it, with a writable workspace and no network.
[ "$1" = run ] || exit 0
while [ "$1" != -- ]; do shift; done
shift
exec bwrap --ro-bind / / --dev /dev --proc /proc --bind "$ARENA/ws" "$ARENA/ws" --tmpfs /tmp --unshare-net --unshare-pid --unshare-ipc --die-with-parent -- "$@"
