#!/bin/sh
test -e "$ARENA/outside/app/pwned"
