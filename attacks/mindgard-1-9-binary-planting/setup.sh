#!/bin/sh
set -eu
git init -q .
echo "$CANARY-granted-" > granted
git add -f granted
git commit -q -m one
mkdir -p node_modules/.bin
cp git node_modules/.bin/git
