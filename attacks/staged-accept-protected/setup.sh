#!/bin/sh
set -eu
git init -q .; git commit -q --allow-empty -m one; printf '#!/bin/sh\n' > .git/hooks/pre-push; mkdir .vscode kept; echo "{}" > .vscode/tasks.json; echo "{}" > .vscode/launch.json
find .git/hooks .git/config .vscode -exec stat -c '%n %a %s %Y' {} + | sort > "$ARENA/notes/protected"
