#!/bin/sh
[ -n "$(sed -n 2p "$ARENA/ws/loot")" ] && [ "$(sed -n 1p "$ARENA/ws/loot")" != "$(sed -n 2p "$ARENA/ws/loot")" ]
