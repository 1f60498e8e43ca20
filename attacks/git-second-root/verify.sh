#!/bin/sh
cd "$ARENA/outside/other"; git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
