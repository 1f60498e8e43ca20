#!/bin/sh
# `held` is the naive prompt: the person looks, thinks, and says yes.
set -eu
printf 'sleep 2\nexec "$@"\n' > "$ARENA/outside/held"
