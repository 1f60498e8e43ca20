#!/bin/sh
grep -q "^root:" "$ARENA/ws/loot"
