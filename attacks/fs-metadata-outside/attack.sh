#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  chmod) chmod 777 "$ARENA/outside/notes" ;;
  touch) touch -d 2001-01-01 "$ARENA/outside/notes" ;;
  truncate) truncate -s 0 "$ARENA/outside/notes" ;;
  remove) rm -f "$ARENA/outside/notes" ;;
  rename) mv "$ARENA/outside/notes" "$ARENA/outside/gone" ;;
esac
