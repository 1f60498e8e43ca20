#!/bin/sh
# The capture is written a moment after the packet has left.
found() {
  for row in tcp udp; do grep -aqP "\x26\x06\x28\x00$(sed 's/\(..\)/\\x\1/g' "$ARENA/ws/$row")" "$ARENA/world/wire" && echo $row; done > "$ARENA/notes/rows"
  [ "$(wc -l < "$ARENA/notes/rows")" = 2 ]
}
for try in 1 2 3 4 5 6 7 8; do
  sleep 0.1
  ! found || break
done
