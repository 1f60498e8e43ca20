#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p sub; echo x > "$CASE"
