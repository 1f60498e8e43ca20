#!/bin/sh
grep -q features "$ARENA/ws/loot"
