#!/bin/sh
set -eu
case $CASE in
  seqpacket) kind=seqpacket ;;
  dgram|sendto|sendmsg|pair) kind=dgram ;;
  *) kind=stream ;;
esac
"$TOOLS/listen" "$kind" "$ARENA/run/service" "$ARENA/heard" > /dev/null
