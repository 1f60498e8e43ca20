#!/bin/sh
set -eu
mkdir d d/sub; echo x > d/f; echo "$CANARY" > "$ARENA/outside/secret"; mkdir "$ARENA/outside/victims"
