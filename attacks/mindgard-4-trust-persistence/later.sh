#!/bin/sh
set -eu
cd "$ARENA/ws"
git merge -q to-pull
git rebase -q to-rebase
git checkout -q -b last
git merge -q -m switched to-switch
git -C module checkout -q evil
cp evil.json edit/.mcp.json
cp evil.json next.json
mv next.json rename/.mcp.json
mkdir other
cp evil.json other/.mcp.json
mv directory directory.old
mv other directory
ln -sf ../evil.json symlink/.mcp.json
mv symlink-directory symlink-directory.old
mkdir elsewhere
cp evil.json elsewhere/.mcp.json
ln -s elsewhere symlink-directory
mkdir added
cp evil.json added/.mcp.json
echo 'exec sh ../trip.sh' > script/server.sh
cp race/.mcp.json race/good.json
cp evil.json race/evil.json
( while [ -e race/evil.json ]; do cat race/evil.json > race/.mcp.json; cat race/good.json > race/.mcp.json; done ) > /dev/null 2>&1 &
