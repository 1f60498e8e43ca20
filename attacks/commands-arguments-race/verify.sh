#!/bin/sh
grep -q "$(echo "$CANARY" | od | head -n 1)" "$ARENA/ws/loot"
