#!/bin/sh
# postgres.sh start [SETTING=VALUE...] | sql [DATABASE] | stop: a separate PostgreSQL in `$ARENA/notes/database`, at 127.0.0.1:5432.
# `sql` runs its stdin as the superuser `admin`, over a socket that no box sees. The server may write files in `out`.
set -eu
place=$ARENA/notes/database
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)

# The server refuses root, and its tools refuse users without a name.
as_nobody() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else unshare -U --map-user=65534 --map-group=65534 "$@"; fi
}

# Not the workspace, because no other user may enter it.
cd /
case $1 in
  start)
    shift
    mkdir "$place" "$place/out"
    [ "$(id -u)" != 0 ] || chown 65534:65534 "$place" "$place/out"
    as_nobody "$programs/initdb" -D "$place/data" -U admin -A trust -E UTF8 --no-locale --no-sync > "$place.log"
    printf 'local all admin trust\nhost all all all scram-sha-256\n' | as_nobody tee "$place/data/pg_hba.conf" > "$place.log"
    settings="-c listen_addresses=127.0.0.1 -c port=5432 -c unix_socket_directories=$place -c fsync=off"
    for setting; do settings="$settings -c $setting"; done
    as_nobody "$programs/pg_ctl" -D "$place/data" -l "$place/log" -o "$settings" -w start > "$place.log"
    ;;
  sql) as_nobody psql -XAtq -v ON_ERROR_STOP=1 -h "$place" -U admin -d "${2-postgres}" ;;
  stop) as_nobody "$programs/pg_ctl" -D "$place/data" -m immediate stop > "$place.log" ;;
esac
