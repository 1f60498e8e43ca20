#!/bin/sh
set -eu
(cd "$ARENA/outside" && exec sleep 60) &
echo $! > victim
