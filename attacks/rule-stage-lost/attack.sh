#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  unlink) rm -f kept/file ;;
  truncate) : > kept/file ;;
  truncate-call) truncate -s 0 kept/file ;;
  overwrite) printf "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" 1<> kept/file ;;
  append-then-cut) exec 3>> kept/file; truncate -s 0 /proc/self/fd/3 ;;
  replace) echo other > other; mv -f other kept/file || rm other ;;
  tree) rm -rf kept ;;
  move-away) mv kept gone; rm -rf gone ;;
esac
