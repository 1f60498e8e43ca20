#!/bin/sh
# seen.sh FILE...: for `verify.sh` of attacks with rows. A row has succeeded when one of the files contains `$CANARY-ROW-`.
sleep 0.1
while IFS='	' read -r row _; do
  if grep -aqisF -e "$CANARY-$row-" "$@"; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
