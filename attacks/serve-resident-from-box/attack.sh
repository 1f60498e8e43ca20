#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  *-later) until [ -e "$ARENA/ws/go" ]; do sleep 0.05; done ;;
esac
python3 .attack/attack.py || :
