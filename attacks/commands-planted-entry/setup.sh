#!/bin/sh
set -eu
mkdir -p node_modules/.bin
printf '#!/bin/sh\necho "$CANARY-$ROW-"\n' > node_modules/.bin/git
chmod +x node_modules/.bin/git
cp node_modules/.bin/git git
