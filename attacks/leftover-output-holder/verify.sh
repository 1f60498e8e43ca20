#!/bin/sh
test -e "$ARENA/notes/held"
