#!/bin/sh
set -eu
git init -q .
printf '#!/bin/sh\necho "%s" >> "%s/ws/sang"\n' "$CANARY" "$ARENA" > .git/canary
chmod +x .git/canary
echo '*.txt diff=evil' > .gitattributes
echo one > file.txt
git add .
tree=$(git write-tree)
# The header of a signature is enough for git to ask who checks it.
commit=$(printf 'tree %s\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nfirst\n' "$tree" | git hash-object -t commit -w --stdin)
git reset -q --soft "$commit"
git config "$CASE" "$ARENA/ws/.git/canary"
git config log.showSignature true
echo two > file.txt
