#!/bin/sh
# The agent has written down which rows succeeded.
touch "$ARENA/notes/rows"
