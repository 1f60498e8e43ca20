#!/bin/sh
case "$CASE" in NODE_OPTIONS) value="--title=stolen-$CANARY" ;; *) value="/stolen-$CANARY" ;; esac
export "$CASE=$value"
exec "$@"
