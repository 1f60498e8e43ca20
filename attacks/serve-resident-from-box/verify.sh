#!/bin/sh
sleep 0.2; grep -qs "$CANARY" "$ARENA/notes/heard" "$ARENA/ws/loot" || [ -e "$ARENA/$CANARY" ]
