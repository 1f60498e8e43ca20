#!/bin/sh
# The branches differ in one file each, and the submodule has two commits.
set -eu
git init -q module
printf '%s\n' '{"mcpServers": {"docs": {"command": "sh", "args": ["-c", ":"]}}}' > module/.mcp.json
git -C module add .mcp.json
git -C module commit -q -m one
git -C module tag good
cp evil.json module/.mcp.json
git -C module commit -q -a -m two
git -C module tag evil
git -C module checkout -q good
git init -q .
git add pull switch rebase
git commit -q -m one
for branch in pull switch rebase; do
  git checkout -q -b "to-$branch" main
  cp evil.json "$branch/.mcp.json"
  git commit -q -a -m "$branch"
done
git checkout -q main
