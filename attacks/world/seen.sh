#!/bin/sh
# seen.sh FILE...: for `verify.sh` of attacks with rows. A row has succeeded when `$CANARY-ROW-` stands in one of the files.
sleep 0.1
while IFS='	' read -r row _; do
  if grep -aqisF -e "$CANARY-$row-" "$@"; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
