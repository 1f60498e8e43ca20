#!/bin/sh
export TOKEN="stolen-$CANARY"
exec "$@"
