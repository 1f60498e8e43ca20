#!/bin/sh
: > "$ARENA/ws/ran"
plant() { mkdir -p .vscode .idea .zed; for file in .vscode/tasks.json .idea/workspace.xml .zed/settings.json .mcp.json .envrc; do echo "$CANARY" > $file; done; }
plant
case $CASE in
  deep) i=0; while [ $i -lt 600 ]; do mkdir d; cd d || exit; i=$((i + 1)); done ;;
  long) name=$(printf '%0250d' 0); i=0; while [ $i -lt 20 ]; do mkdir "$name"; cd "$name" || exit; i=$((i + 1)); done ;;
  unlisted) mkdir sub; cd sub || exit; plant; chmod 0311 . ;;
  unentered) mkdir sub; cd sub || exit; plant; chmod 0600 . ;;
  names) i=0; while [ $i -lt 40 ]; do mkdir -p .git/modules/x/.git/worktrees/x; cd .git/modules/x/.git/worktrees/x || exit; i=$((i + 1)); done ;;
esac
