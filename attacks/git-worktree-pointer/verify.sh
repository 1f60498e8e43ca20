#!/bin/sh
git status > /dev/null; test -e "$ARENA/outside/pwned"
