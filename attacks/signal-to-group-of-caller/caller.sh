#!/bin/sh
cut -d ' ' -f 5 < /proc/$$/stat > "$ARENA/ws/group"
sleep 30 &
"$@"
kill $! && : > "$ARENA/notes/survived"
