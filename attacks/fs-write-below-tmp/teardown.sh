#!/bin/sh
rm -rf "$CASE/holdfast-$CANARY"
