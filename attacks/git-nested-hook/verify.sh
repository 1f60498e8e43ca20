#!/bin/sh
cd vendor/lib && git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
