#!/bin/sh
: > "$ARENA/ws/ran"
rm -rf docs; ln -s "$ARENA/home/.ssh" docs
