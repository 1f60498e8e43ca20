#!/bin/sh
find "$ARENA/outside" -printf '%P %i %m %s %n %T@ %C@\n' | sort | cmp -s - "$ARENA/notes/outside" && exit 1
exit 0
