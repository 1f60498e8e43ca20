#!/bin/sh
: > "$ARENA/ws/ran"
mark() { python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.overlay." + sys.argv[2], b"y")' "$1" "$2"; }
evil() { printf '#!/bin/sh\n: > "$ARENA/outside/pwned"\n' > "$1"; chmod +x "$1"; }
case $CASE in
  hook) evil .git/hooks/pre-commit ;;
  hook-mode) chmod 755 .git/hooks/pre-push ;;
  hook-existing) evil .git/hooks/pre-push ;;
  hook-renamed) evil plain; mv plain .git/hooks/pre-commit; rm -f plain ;;
  hooks-directory) mkdir fresh; evil fresh/pre-commit; rm -rf .git/hooks; mv -T fresh .git/hooks; rm -rf fresh ;;
  config-program) git config core.fsmonitor /tmp/x; cp .git/config c; git config -f c core.fsmonitor /tmp/x; mv c .git/config; rm -f c ;;
  commondir) echo ../elsewhere > .git/commondir ;;
  nested-hook) git init -q deep/sub; evil deep/sub/.git/hooks/pre-commit ;;
  nested-directory-renamed) mkdir -p fresh/.git/hooks; cp -r .git/HEAD .git/objects .git/refs .git/config fresh/.git; evil fresh/.git/hooks/pre-commit; mkdir deep; mv fresh deep/sub ;;
  envrc) echo "touch $ARENA/outside/pwned" > .envrc ;;
  envrc-symlink) evil plain; ln -s plain .envrc ;;
  envrc-hard-link) evil plain; ln plain .envrc ;;
  mcp-server) echo '{"mcpServers":{"x":{"command":"x"}}}' > .mcp.json ;;
  vscode-task) echo '{"tasks":[]}' > .vscode/tasks.json; echo new > .vscode/settings.json ;;
  removed) rm -rf .vscode .git/hooks ;;
  opaque-attribute) mark .vscode opaque; mark .git opaque; mark .git/hooks opaque; rm -rf .vscode/launch.json .git/hooks/pre-push ;;
  whiteout-attribute) for name in .vscode/tasks.json .git/hooks/pre-push; do : > plain; mark plain whiteout; mv plain $name; mark "$(dirname $name)" opaque; rm -f "$name" plain; done ;;
  whiteout-device) mknod plain c 0 0; mv plain .vscode/tasks.json; mknod .git/hooks/pre-push c 0 0; rm -f .vscode/tasks.json .git/hooks/pre-push ;;
esac
