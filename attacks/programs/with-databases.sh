#!/bin/sh
# with-databases.sh COMMAND...: starts the command with the password that `setup.sh` has made, and the URLs that hold it: what a
# client has without Holdfast, and what a box gets something else for.
DATABASE_PASSWORD=$(cat "$ARENA/outside/password")
DATABASE_URL=postgres://app:$DATABASE_PASSWORD@db.example:5432/app
REDIS_URL=redis://:$DATABASE_PASSWORD@cache.example:6379
export DATABASE_PASSWORD DATABASE_URL REDIS_URL
exec "$@"
