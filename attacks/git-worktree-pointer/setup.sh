#!/bin/sh
set -eu
git init -q "$ARENA/outside/main"; git -C "$ARENA/outside/main" commit -q --allow-empty -m one
git -C "$ARENA/outside/main" worktree add -q "$ARENA/ws/tree" 2> /dev/null; mv tree/.git .git; rmdir tree; git -C "$ARENA/outside/main" worktree repair "$ARENA/ws" > /dev/null
