#!/bin/sh
# with-databases.sh COMMAND...: starts the command with the password of `setup.sh`, and the URLs that hold it. Without
# Holdfast, a client has them. A box gets phantoms in their place.
DATABASE_PASSWORD=$(cat "$ARENA/outside/password")
DATABASE_URL=postgres://app:$DATABASE_PASSWORD@db.example:5432/app
REDIS_URL=redis://:$DATABASE_PASSWORD@cache.example:6379
export DATABASE_PASSWORD DATABASE_URL REDIS_URL
exec "$@"
