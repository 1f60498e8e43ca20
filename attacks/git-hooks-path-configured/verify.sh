#!/bin/sh
echo two > file.dat
git status > /dev/null; git diff > /dev/null; git commit -q -a -m two
test -e "$ARENA/outside/pwned"
