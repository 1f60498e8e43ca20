#!/bin/sh
grep -q "$CANARY" .git/hooks/pre-commit
