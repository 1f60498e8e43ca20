#!/bin/sh
: > "$ARENA/ws/ran"
ROW=x; export ROW; git status > loot
