#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  hooks) echo changed > alias/pre-commit ;;
  hooks-existing) echo changed > alias/pre-push ;;
  git) echo changed > alias/hooks/pre-commit ;;
  git-config) echo changed >> alias/config ;;
  hidden) cat plain > loot ;;
  whole) echo changed > alias/.git/hooks/pre-commit ;;
  whole-hidden) cat alias/.env > loot ;;
  read-only) mount -o remount,bind,rw alias; echo changed > alias/file ;;
esac
