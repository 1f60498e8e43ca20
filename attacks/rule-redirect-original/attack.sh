#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  spelling) cat "./real/../real//file" > loot ;;
  symlink) cat link > loot ;;
  rename) mv real other; cat other/file > loot ;;
  hard-link) ln real/file hard; cat hard > loot ;;
  root) cat "/proc/self/root$PWD/real/file" > loot ;;
  directory) cd real; cat file > ../loot ;;
esac
