#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p forged; echo "gitdir: $ARENA/ws/forged" > .git
echo "ref: refs/heads/main" > forged/HEAD; echo "$ARENA/ws/.git" > forged/gitdir; echo "$ARENA/outside" > forged/commondir
