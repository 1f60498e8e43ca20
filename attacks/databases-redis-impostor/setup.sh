#!/bin/sh
set -eu
. "$TOOLS/certificates.sh"
cd "$ARENA/outside"
echo "app-EXAMPLE-$(od -An -tx1 -N12 /dev/urandom | tr -d ' \n')" > password
authority authority
authority nobody
server good granted.cache.example authority
server unknown unknown-authority.cache.example nobody
exec python3 "$TOOLS/redis-impostor.py" "$ARENA/scripts/rows.tsv"
