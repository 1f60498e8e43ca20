#!/bin/sh
# Writes docs/attacks.md from a run of all attacks. A run that fails or is interrupted leaves the page as it is.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH
fresh=docs/attacks.md.$$
trap 'rm -f "$fresh"' EXIT
trap 'exit 130' INT TERM
node attacks/runner/main.ts --table > "$fresh"
mv "$fresh" docs/attacks.md
