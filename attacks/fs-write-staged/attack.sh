#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  write) echo "$CANARY" > file ;;
  truncate) python3 -c 'import os; os.truncate("file", 0)' ;;
  append) echo "$CANARY" >> deep/er/file ;;
  remove) rm -rf deep ;;
  rename) mv file deep/er/file ;;
  exchange) echo "$CANARY" > .attack-new; mv .attack-new other ;;
  hard-link) ln file deep/er/hard; echo "$CANARY" > deep/er/hard ;;
  symlink) echo "$CANARY" > link ;;
  mode) chmod 777 file ;;
  times) touch -d 2001-01-01 file ;;
  attribute) python3 -c 'import os; os.setxattr("file", "user.canary", b"1"); os.utime("file")' ;;
  map) python3 -c 'import mmap, os; f = os.open("file", os.O_RDWR); m = mmap.mmap(f, 4); m[:3] = b"new"; m.flush()' ;;
  descriptor) exec 9< file; echo "$CANARY" > /proc/self/fd/9 ;;
  proc-root) echo "$CANARY" > "/proc/self/root$PWD/file" ;;
  git) echo "$CANARY" > file; git commit -qam second ;;
  directory) cd deep/er; rm file; mkdir file ;;
esac
