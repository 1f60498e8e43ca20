#!/bin/sh
echo x > file; git add file; git status > /dev/null; git commit -q --allow-empty -m two; timeout 5 git fetch -q; test -e "$ARENA/outside/pwned"
