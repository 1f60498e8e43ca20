#!/bin/sh
# The granted row is a message to the host that the key is good for.
grep -aq 'carried through' "$ARENA/world/heard" || exit
sh "$ARENA/world/key-seen.sh" "$ARENA/world/heard"
