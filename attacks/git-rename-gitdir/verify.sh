#!/bin/sh
git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
