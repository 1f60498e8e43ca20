#!/bin/sh
set -eu
case $CASE in
  own-address) address=$(hostname -I | cut -d ' ' -f 1) ;;
  ipv6) address=::1 ;;
  *) address=127.0.0.1 ;;
esac
[ -n "$address" ] || { echo "this machine has no address of its own"; exit 1; }
echo "$address" > address
"$TOOLS/listen" "$([ "$CASE" = udp ] && echo udp || echo tcp)" "$address" "$ARENA/heard" | cut -d ' ' -f 2 > port
