#!/bin/sh
cd node_modules/dep && git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
