#!/bin/sh
cd lib && git status > /dev/null; test -e "$ARENA/outside/pwned"
