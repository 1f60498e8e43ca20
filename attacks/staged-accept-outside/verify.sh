#!/bin/sh
grep -qs "$CANARY" loot n n/file && exit 0
find "$ARENA/outside" -printf '%p %m %s %n %T@\n' | sort | cmp -s - "$ARENA/notes/outside" && exit 1
exit 0
