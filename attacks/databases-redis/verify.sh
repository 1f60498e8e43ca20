#!/bin/sh
# Keys, values, channels' words, functions, settings, users and files: as far as they hold the mark of a row.
{
  redis() { sh "$TOOLS/redis.sh" cli "$@"; }
  redis --scan
  redis --scan | while read -r key; do
    case $(redis TYPE "$key") in
      string) redis GET "$key" ;;
      list) redis LRANGE "$key" 0 -1 ;;
      hash) redis HGETALL "$key" ;;
      set) redis SMEMBERS "$key" ;;
      zset) redis ZRANGE "$key" 0 -1 ;;
      stream) redis XRANGE "$key" - + ;;
    esac
  done
  redis -n 1 --scan
  redis CONFIG GET '*'
  redis ACL LIST
  redis FUNCTION LIST WITHCODE
  ls "$ARENA/notes/cache"
} > "$ARENA/notes/seen" 2>&1
sh "$ARENA/world/seen.sh" "$ARENA/notes/seen"
