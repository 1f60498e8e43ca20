#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  kernel/core_pattern) echo "$CANARY" > "/proc/sys/$CASE" ;;
  *) echo $(($(cat "/proc/sys/$CASE") + 1)) > "/proc/sys/$CASE" ;;
esac
