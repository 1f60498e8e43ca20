#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  uring) "$TOOLS/uring" "$ARENA/run/service" "$CANARY" ;;
  *) "$TOOLS/reach" "$CASE" "$ARENA/run/service" "$CANARY" ;;
esac
