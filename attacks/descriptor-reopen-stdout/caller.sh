#!/bin/sh
exec "$@" >> "$ARENA/outside/log"
