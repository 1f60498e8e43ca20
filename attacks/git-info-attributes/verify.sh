#!/bin/sh
echo x > file; git add file; test -e "$ARENA/outside/pwned"
