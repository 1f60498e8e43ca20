#!/bin/sh
set -eu
password=app-EXAMPLE-$(od -An -tx1 -N12 /dev/urandom | tr -d ' \n')
echo "$password" > "$ARENA/outside/password"
sh "$TOOLS/postgres.sh" start
sh "$TOOLS/postgres.sh" sql <<END
CREATE ROLE app LOGIN REPLICATION PASSWORD '$password';
ALTER ROLE app SET default_transaction_read_only = on;
GRANT pg_write_server_files, pg_read_server_files, pg_execute_server_program TO app;
CREATE ROLE writer LOGIN PASSWORD 'writer-EXAMPLE';
CREATE DATABASE app OWNER app;
END
sed "s/\$CANARY/$CANARY/" "$ARENA/scripts/fixture.sql" | sh "$TOOLS/postgres.sh" sql app
