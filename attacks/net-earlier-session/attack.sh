#!/bin/sh
: > "$ARENA/ws/ran"
getent ahostsv4 evil.example | cut -d " " -f 1 | head -n 1 > address
