#!/bin/sh
: > "$ARENA/ws/ran"
mark() { python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.overlay." + sys.argv[2], sys.argv[3].encode())' "$@"; }
case $CASE in
  symlinked-directory) rm -rf d; ln -s "$ARENA/outside" d; echo x > d/file ;;
  symlinked-file) rm d/file; ln -s "$ARENA/outside/file" d/file; echo x > d/file ;;
  symlink-then-tree) mv d e; ln -s "$ARENA/outside" d; mkdir d/new; cp -r e d/new ;;
  removed-through-symlink) rm -rf d; ln -s "$ARENA/outside" d; rm -rf d/sub ;;
  redirect-attribute) mkdir n; mark n redirect "$ARENA/outside"; mark n redirect ../outside; cp n/file loot; cp "$ARENA/outside/file" loot ;;
  origin-attribute) mkdir n; mark n origin x; cp n/file loot; cp "$ARENA/outside/file" loot ;;
  metacopy-attribute) : > n; mark n metacopy ""; mark n redirect ../outside/file; cat n > loot; cat "$ARENA/outside/file" >> loot ;;
  hard-link) ln "$ARENA/outside/file" n; echo x >> n ;;
  times) rm -rf d; ln -s "$ARENA/outside" d; touch -d 2001-01-01 d d/file; chmod 777 d/file ;;
esac
