#!/bin/sh
set -eu
unshare --mount sh -c 'mount -t tmpfs none "$ARENA/outside"; echo "$CANARY" > "$ARENA/outside/secret"; sleep 60' &
echo $! > victim
sleep 0.2
