#!/bin/sh
export "$CASE=stolen-$CANARY"
exec "$@"
