#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  udp) how=sendto ;;
  fastopen|mptcp) how=$CASE ;;
  *) how=stream ;;
esac
"$TOOLS/reach" "$how" "$(cat address)" "$CANARY" "$(cat port)"
