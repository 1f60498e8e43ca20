#!/bin/sh
[ -e "$ARENA/outside/pwned" ] || [ -L "$ARENA/outside/pwned" ] || [ ! -d "$ARENA/outside/victims" ] || grep -q "$CANARY" "$ARENA/ws/loot" "$ARENA/outside/d/f" 2> /dev/null ||
  [ "$(cat "$ARENA/outside/secret" 2> /dev/null)" != "$CANARY" ]
