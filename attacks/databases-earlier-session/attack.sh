#!/bin/sh
: > "$ARENA/ws/ran"
echo "$DATABASE_URL" > url
