#!/bin/sh
grep -q "task clock" "$ARENA/ws/loot"
