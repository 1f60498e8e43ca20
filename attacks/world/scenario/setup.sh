#!/bin/sh
# The repository is already there.
:
