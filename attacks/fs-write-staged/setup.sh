#!/bin/sh
set -eu
mkdir -p deep/er; echo old > file; echo old > other; echo old > deep/er/file; ln -s deep/er/file link
git init -q .; git config user.name n; git config user.email n@example.org; git add -A; git commit -qm first
find . -path ./ran -prune -o -path ./.attack -prune -o -type f -exec sha256sum {} + | sort > "$ARENA/notes/content"
find file other deep link .git/HEAD .git/refs -printf '%p %i %m %T@ %n %l\n' | sort > "$ARENA/notes/entries"
