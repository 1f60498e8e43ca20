#!/bin/sh
grep -q "$CANARY" holdfast.toml
