#!/bin/sh
# with-key.sh COMMAND...: for `caller.sh` of attacks on credentials. Starts the command with the key of `setup.sh` in
# API_KEY. Without Holdfast, a client has the key. A box gets a phantom in its place.
API_KEY=$(cat "$ARENA/outside/key")
export API_KEY
exec "$@"
