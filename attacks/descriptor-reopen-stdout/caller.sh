#!/bin/sh
case "$CASE" in
  stdout) exec "$@" >> "$ARENA/outside/log" ;;
  stderr) exec "$@" 2>> "$ARENA/outside/log" ;;
  both) exec "$@" >> "$ARENA/outside/log" 2>&1 ;;
esac
