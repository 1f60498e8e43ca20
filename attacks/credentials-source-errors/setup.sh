#!/bin/sh
# Sources that fail, each with its key in what it says.
set -eu
echo "sk-example-$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')" > "$ARENA/outside/key"
while IFS='	' read -r row how; do
  [ "$row" != granted ] || continue
  key="sk-example-$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')"
  echo "$row $key" >> "$ARENA/outside/keys"
  printf '#!/bin/sh\nkey=%s\n%s\n' "$key" "$how" > "$ARENA/outside/$row.sh"
  printf '\n[[credentials]]\nname = "%s"\nsource = { command = ["sh", "%s"], timeout = "2s" }\nhosts = ["%s.example"]\ninject = { kind = "bearer" }\nuse = "always"\nenvironment = ["KEY_%s"]\n' "$row" "$ARENA/outside/$row.sh" "$row" "$(echo "$row" | tr a-z- A-Z_)" >> "$HOME/.config/holdfast/policy.toml"
done < "$ARENA/scripts/rows.tsv"
