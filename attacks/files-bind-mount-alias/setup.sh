#!/bin/sh
set -eu
git init -q .; git commit -q --allow-empty -m one; mkdir -p .git/info; echo "$CANARY" > .env; printf '#!/bin/sh\n' > .git/hooks/pre-push
case $CASE in
  hooks | hooks-existing) mkdir alias; mount --bind .git/hooks alias ;;
  git | git-config) mkdir alias; mount --bind .git alias ;;
  hidden) : > plain; mount --bind .env plain ;;
  whole) mkdir alias; mount --bind . alias ;;
  whole-hidden) mkdir alias; mount --bind . alias ;;
  read-only) mkdir alias; echo "$CANARY" > "$ARENA/outside/file"; mount --bind "$ARENA/outside" alias; mount -o remount,bind,ro alias ;;
esac
