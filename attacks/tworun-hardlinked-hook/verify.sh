#!/bin/sh
cd new && git commit -q --allow-empty -m one; test -e "$ARENA/outside/pwned"
