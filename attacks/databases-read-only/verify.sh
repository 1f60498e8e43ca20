#!/bin/sh
{
  sh "$TOOLS/postgres.sh" sql app <<END
TABLE notes;
SELECT convert_from(lo_get(oid), 'UTF8') FROM pg_largeobject_metadata;
SELECT replace(slot_name, '_', '-') FROM pg_replication_slots;
END
  cat "$ARENA/notes/database/out/"*
} > "$ARENA/notes/seen"
sh "$ARENA/world/seen.sh" "$ARENA/notes/seen"
