#!/bin/sh
# Sets everything up and shows the main job: a normal result beside a refused write, secret and connection.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh
demo=$(mktemp -d)
trap 'rm -rf "$demo"' EXIT
cd "$demo"
git init -q .
echo 'API_KEY=do-not-leak' > .env
echo '$ holdfast run -- sh -c "…four things an agent may try…"'
"$OLDPWD/bin/holdfast" run -- sh -c '
  echo "built" > result.txt && echo "1. a normal result:   wrote result.txt, $(ls | tr "\n" " ")"
  echo "2. a write outside:"    ; echo "127.0.0.1 evil" >> /etc/hosts
  echo "3. a secret:"           ; cat .env
  echo "4. a connection:"       ; git ls-remote https://example.com/repository
' || true
echo
echo '$ holdfast why'
"$OLDPWD/bin/holdfast" why
