#!/bin/sh
grep -q "$CANARY" "$ARENA/ws/loot"
