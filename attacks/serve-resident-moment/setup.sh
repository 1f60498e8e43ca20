#!/bin/sh
set -eu
mkdir -p "$ARENA/outside" "$HOME/.config/holdfast"
echo "$CANARY" > "$ARENA/outside/data"
git init -q
case $CASE in
  user-policy*) printf 'version = 1\nfiles.read = ["%s"]\n' "$ARENA/outside/data" > "$HOME/.config/holdfast/policy.toml" ;;
  withheld-changes) echo '{"mcpServers":{}}' > .mcp.json ;;
  hooks-appear) rm -rf .git ;;
  program-appears) printf 'version = 1\ncommands.deny = ["base64"]\n' > "$HOME/.config/holdfast/policy.toml" ;;
esac
