#!/bin/sh
sleep 0.2
sh "$ARENA/world/seen.sh" "$ARENA/notes/monitor" "$ARENA/notes/news" "$ARENA/notes/collected"
