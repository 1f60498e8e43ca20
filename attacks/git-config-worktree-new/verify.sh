#!/bin/sh
echo x > file; git add -A . ; git status > /dev/null; test -e "$ARENA/outside/pwned"
