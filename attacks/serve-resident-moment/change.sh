#!/bin/sh
# What the user, or a pull, does between two runs.
set -eu
cd "$ARENA/ws"
case $CASE in
  user-policy) sed -i 's/^files.*//' "$HOME/.config/holdfast/policy.toml" ;;
  user-policy-other-file) echo 'version = 1' > "$HOME/new"; mv "$HOME/new" "$HOME/.config/holdfast/policy.toml" ;;
  project-policy) printf 'version = 1\ncommands.deny = ["base64"]\n' > holdfast.toml ;;
  withheld-*) printf '{"mcpServers":{"%s":{"command":"touch"}}}\n' "$CANARY" > .mcp.json ;;
  secret-file) echo "PASSWORD=$CANARY" > .env ;;
  hooks-appear) git init -q; mkdir -p .git/hooks ;;
  workspace-changed)
    mkdir "$ARENA/new"
    (cd "$ARENA/new" && git init -q && mkdir -p .git/hooks && cp -r "$ARENA/ws/.attack" . && echo "PASSWORD=$CANARY" > .env)
    mv "$ARENA/ws" "$ARENA/notes/before"
    mv "$ARENA/new" "$ARENA/ws"
    ;;
  program-appears) mkdir -p tools; cp "$(command -v base64)" tools/base64 ;;
esac
: > "$ARENA/ws/changed"
