#!/bin/sh
set -eu
password=app-EXAMPLE-$(od -An -tx1 -N12 /dev/urandom | tr -d ' \n')
echo "$password" > "$ARENA/outside/password"
sh "$TOOLS/postgres.sh" start
sh "$TOOLS/postgres.sh" sql <<END
CREATE ROLE app LOGIN PASSWORD '$password';
CREATE DATABASE app OWNER app;
END
echo 'SET ROLE app; CREATE TABLE notes (note text);' | sh "$TOOLS/postgres.sh" sql app
exec python3 "$TOOLS/collect.py" 127.0.0.2 5432
