#!/bin/sh
: > "$ARENA/ws/ran"
stty -echo -icanon < /dev/tty
