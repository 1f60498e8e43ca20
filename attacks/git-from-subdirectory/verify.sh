#!/bin/sh
cd "$ARENA/ws"; git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
