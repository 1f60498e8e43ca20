#!/bin/sh
grep -q ":$(printf %04X "$(cat port)") 00000000:0000 0A" "$ARENA/ws/loot"
