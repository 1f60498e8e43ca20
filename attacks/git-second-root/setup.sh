#!/bin/sh
set -eu
git init -q "$ARENA/outside/other"; git -C "$ARENA/outside/other" commit -q --allow-empty -m one
