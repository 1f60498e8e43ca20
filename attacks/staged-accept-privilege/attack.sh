#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  setuid) cp /bin/true tool; chmod 4755 tool ;;
  setuid-*) "$TOOLS/setuid" "${CASE#setuid-}" tool ;;
  capability) cp /bin/true tool; "$TOOLS/filecap" set tool ;;
  device) mknod tool c 1 3 ;;
  whiteout) mknod tool c 0 0 ;;
esac
