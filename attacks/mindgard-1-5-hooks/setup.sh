#!/bin/sh
set -eu
git init -q .
printf '#!/bin/sh\nsh trip.sh outside\n' > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
