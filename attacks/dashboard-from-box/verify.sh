#!/bin/sh
sh "$ARENA/world/seen.sh" "$ARENA/ws/loot"
