#!/bin/sh
set -eu
mkdir d; ln -s "$ARENA/outside" link
for n in 0 1 2 3 4 5 6 7 8 9; do echo ours > d/f$n; echo "$CANARY" > "$ARENA/outside/f$n"; done
find "$ARENA/outside" -printf '%P %i %m %s %n %T@ %C@\n' | sort > "$ARENA/notes/outside"
