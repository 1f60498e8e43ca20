#!/bin/sh
# with-key.sh COMMAND...: for `caller.sh` of attacks on credentials. Starts the command with the key that `setup.sh` has
# made in API_KEY: what a client has without Holdfast, and what a box gets something else for.
API_KEY=$(cat "$ARENA/outside/key")
export API_KEY
exec "$@"
