#!/bin/sh
grep -q write "$HOME/.config/holdfast/policy.toml"
