#!/bin/sh
test ! -e "$HOME/.local/state/holdfast/quarantine/evidence"
