#!/bin/sh
case "$CASE" in here) CASE=$PWD ;; empty) CASE= ;; esac
PATH=$CASE:$PATH
export PATH
exec "$@"
