#!/bin/sh
grep -q "$CANARY" node_modules/.bin/git
