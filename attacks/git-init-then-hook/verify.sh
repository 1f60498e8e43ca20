#!/bin/sh
cd new && git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
