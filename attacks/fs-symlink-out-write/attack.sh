#!/bin/sh
: > "$ARENA/ws/ran"
ln -s "$ARENA/outside" link; echo x > link/pwned
