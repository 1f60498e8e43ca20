#!/bin/sh
# Replaces `holdfast run`: no box, and a copy of the workspace. It copies the marks of tried rows back.
[ "$1" = run ] || exit 0
while [ "$1" != -- ]; do shift; done
shift
copy=$ARENA/notes/worktree
exec 8> "$ARENA/notes/copying"
flock 8
if [ ! -e "$copy" ]; then
  mkdir "$copy"
  for part in home notes outside scripts tools world; do [ ! -e "$ARENA/$part" ] || ln -s "$ARENA/$part" "$copy/$part"; done
  cp -a "$ARENA/ws" "$copy/ws"
fi
exec 8>&-
# Replaces the workspace's paths by the copy's.
for word; do
  shift
  case $word in ARENA=*) word=ARENA=$copy ;; TOOLS=*) word=TOOLS=$copy/ws/.attack/tools ;; "$ARENA/ws/"*) word=$copy/ws/${word#"$ARENA/ws/"} ;; esac
  set -- "$@" "$word"
done
cd "$copy/ws" || exit 1
original=$ARENA
ARENA=$copy "$@"
status=$?
for file in ran tried; do [ ! -e "$file" ] || cat "$file" >> "$original/ws/$file"; done
exit $status
