#!/bin/sh
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ ! -e "$ARENA/notes/cancelled" ] || exit 0
  sleep 0.1
done
exit 1
