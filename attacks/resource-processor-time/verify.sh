#!/bin/sh
[ "$(tail -n 1 "$ARENA/ws/loot")" -ge $((2 * SLOWNESS)) ]
