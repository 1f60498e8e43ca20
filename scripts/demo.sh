#!/bin/sh
# Sets everything up and shows the main job: a normal result beside a refused write, secret and connection.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh build
demo=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$demo"' EXIT
cd "$demo"
git init -q .
echo 'API_KEY=do-not-leak' > .env
# A service on this machine's loopback, so that the demo needs no internet: a repository, served file by file.
git init -q --bare service/repository
tree=$(git -C service/repository hash-object -w -t tree /dev/null)
commit=$(GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com git -C service/repository commit-tree "$tree" -m demo)
git -C service/repository update-ref refs/heads/main "$commit"
git -C service/repository update-server-info
node -e '
  const { existsSync, readFileSync, writeFileSync } = require("node:fs");
  const { join, normalize } = require("node:path");
  const server = require("node:http").createServer(({ url }, response) => {
    const file = join("service", normalize(`/${url.split("?")[0]}`));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1", () => writeFileSync("port", String(server.address().port)));
' &
server=$!
until [ -s port ]; do sleep 0.1; done
service=localhost:$(cat port)
echo "\$ holdfast run --host $service -- sh -c \"…five things an agent may try…\""
"$OLDPWD/bin/holdfast" run --host "$service" -- sh -c '
  echo "1. a normal result:   $(echo built > result.txt && cat result.txt)"
  echo "2. a write outside:"        ; echo "127.0.0.1 evil" >> /etc/hosts
  echo "3. a secret:"               ; cat .env
  echo "4. an open connection:"     ; git ls-remote "http://$1/repository"
  echo "5. any other connection:"   ; git ls-remote http://example.com/repository
' sh "$service" || true
echo
echo '$ holdfast why'
"$OLDPWD/bin/holdfast" why
