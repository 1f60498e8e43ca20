#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  remount) mount -o remount,rw "$ARENA/outside" ;;
  bind) mount -o remount,rw,bind "$ARENA/outside" ;;
  setattr) "$TOOLS/mount-tree" writable "$ARENA/outside" ;;
esac
echo x > "$ARENA/outside/pwned"
