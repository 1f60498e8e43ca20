#!/bin/sh
set -eu
cut -f 1 "$ARENA/scripts/rows.tsv" | xargs mkdir
for row in write append symlink-file hardlink rename-over rename-parent rename-directory edit-in-place; do
  mkdir "$row/.vscode"
  echo '{"chat.tools.autoApprove": false}' > "$row/.vscode/settings.json"
done
echo '{}' > copy/.mcp.json
cd checkout
git init -q .
git commit -q --allow-empty -m one
git checkout -q -b evil
mkdir .vscode
echo "$CANARY-checkout-" > .vscode/settings.json
git add .vscode
git commit -q -m two
git checkout -q main
