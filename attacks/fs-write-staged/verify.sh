#!/bin/sh
find . -path ./ran -prune -o -path ./.attack -prune -o -type f -exec sha256sum {} + | sort | cmp -s - "$ARENA/notes/content" &&
  find file other deep link .git/HEAD .git/refs -printf '%p %i %m %T@ %n %l\n' 2>/dev/null | sort | cmp -s - "$ARENA/notes/entries" && exit 1
exit 0
