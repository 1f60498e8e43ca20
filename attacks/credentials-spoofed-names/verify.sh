#!/bin/sh
sh "$ARENA/world/key-seen.sh" "$ARENA/world/heard"
