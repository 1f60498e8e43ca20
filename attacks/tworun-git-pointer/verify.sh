#!/bin/sh
test -e "$ARENA/outside/repo/.git/pwned"
