#!/bin/sh
: > "$ARENA/ws/ran"
[ -e "$ARENA/ws/changed" ] || exit 0
case $CASE in
  user-policy*) cat "$ARENA/outside/data" > loot ;;
  project-policy | program-appears) echo "$CANARY" | base64 > encoded; base64 -d encoded > loot || tools/base64 -d encoded > loot ;;
  withheld-*) cat .mcp.json > loot ;;
  secret-file) cat .env > loot ;;
  hooks-appear) mkdir -p .git/hooks; echo "$CANARY" > .git/hooks/post-checkout ;;
  workspace-changed) cat .env > loot; echo "$CANARY" > .git/hooks/post-checkout ;;
esac
