#!/bin/sh
sh "$ARENA/world/seen.sh" "$ARENA/world/heard" "$ARENA/world/wire" "$ARENA/ws/loot"
