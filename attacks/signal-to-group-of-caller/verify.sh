#!/bin/sh
test ! -e "$ARENA/notes/survived"
