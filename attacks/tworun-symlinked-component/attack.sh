#!/bin/sh
: > "$ARENA/ws/ran"
rm -rf packages; ln -s "$ARENA/outside" packages
