#!/bin/sh
cd docs && git status > /dev/null; test -e "$ARENA/outside/pwned"
