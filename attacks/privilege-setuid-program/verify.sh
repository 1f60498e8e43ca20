#!/bin/sh
grep -qw 0 "$ARENA/ws/loot"
