#!/bin/sh
# A repository for each key, as it comes out of an archive.
set -eu
tab=$(printf '\t')
echo "$CANARY-granted-" > said
while IFS="$tab" read -r row _ _ key; do
  [ -n "$key" ] || continue
  mkdir "$row"
  cd "$row"
  git init -q .
  printf '#!/bin/sh\ncd "%s"\nROW=%s sh trip.sh\n' "$ARENA/ws" "$row" > .git/evil
  chmod +x .git/evil
  echo '*.txt diff=evil' > .gitattributes
  echo one > file.txt
  cp ../said granted
  git add .
  git commit -q -m one
  [ "$key" = none ] || git config "$key" "$PWD/.git/evil"
  echo two > file.txt
  cd ..
done < "$ARENA/scripts/rows.tsv"
