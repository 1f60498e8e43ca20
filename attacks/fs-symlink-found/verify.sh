#!/bin/sh
test -e "$ARENA/outside/pwned"
