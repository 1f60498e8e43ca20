#!/bin/sh
: > "$ARENA/ws/ran"
git init -q new; echo "#!/bin/sh" > tool; chmod +x tool; ln tool new/.git/hooks/pre-commit
