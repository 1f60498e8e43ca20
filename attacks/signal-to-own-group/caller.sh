#!/bin/sh
sleep 30 &
"$@"
kill $! && : > "$ARENA/notes/survived"
