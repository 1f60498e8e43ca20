#!/bin/sh
# Replaces `holdfast run`: the native box alone. The user has no policy, and approves everything in the repository unseen, once.
holdfast=$(dirname "$0")/../../../bin/holdfast
[ "$1" = run ] || exit 0
rm -f "$HOME/.config/holdfast/policy.toml"
# Several calls may come at once.
exec 8> "$ARENA/notes/approving"
flock 8
if [ ! -e "$ARENA/notes/unseen" ]; then
  cd "$ARENA/ws" || exit 1
  "$holdfast" trust status --json > "$ARENA/notes/unseen"
  python3 - "$ARENA/notes/unseen" <<'END' | while read -r file; do "$holdfast" trust add "$file" --level always --yes --from "$ARENA/notes/unseen" > /dev/null; done
import json
import sys

print(*(file["path"] for file in json.load(open(sys.argv[1]))["files"] if file.get("gate") == "hidden" and not file["approved"]), sep="\n")
END
  cd - > /dev/null || exit 1
fi
exec 8>&-
exec "$holdfast" "$@"
