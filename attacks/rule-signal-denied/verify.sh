#!/bin/sh
grep -qx -- "-9" "$ARENA/ws/loot"
