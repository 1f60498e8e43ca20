#!/bin/sh
rm -f "$CASE/holdfast-$CANARY"
