#!/bin/sh
: > "$ARENA/ws/ran"
printf "#!/bin/sh\ntouch %s/outside/pwned\n" "$ARENA" > node_modules/dep/.git/hooks/pre-commit; chmod +x node_modules/dep/.git/hooks/pre-commit
