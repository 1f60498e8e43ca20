#!/bin/sh
exec "$@" < "$ARENA/outside/notes"
