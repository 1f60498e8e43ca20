#!/bin/sh
# caller.sh COMMAND...: a person who approves the files in `approved`, revokes those in `revoked`, and runs `later.sh` in the
# repository, before the agent starts. Without Holdfast, clients approve by name, once and for all.
if [ -e "$ARENA/scripts/approved" ]; then
  case $1 in
    */holdfast)
      "$1" trust status --json > "$ARENA/notes/status"
      xargs "$1" trust add --level always --yes --from "$ARENA/notes/status" < "$ARENA/scripts/approved"
      [ ! -e "$ARENA/scripts/revoked" ] || xargs "$1" trust remove < "$ARENA/scripts/revoked"
      ;;
  esac
fi
[ ! -e "$ARENA/scripts/later.sh" ] || sh "$ARENA/scripts/later.sh"
exec "$@"
