#!/bin/sh
case $CASE in
  hooks | git | whole) test -s .git/hooks/pre-commit ;;
  hooks-existing) grep -q changed .git/hooks/pre-push ;;
  git-config) grep -q changed .git/config ;;
  hidden | whole-hidden) grep -q "$CANARY" loot ;;
  read-only) grep -q changed "$ARENA/outside/file" ;;
esac
