#!/bin/sh
test -e "$ARENA/notes/changed"
