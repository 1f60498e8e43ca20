#!/bin/sh
sleep 0.2; test -e "$ARENA/outside/pwned"
