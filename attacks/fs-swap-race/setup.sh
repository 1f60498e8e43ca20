#!/bin/sh
set -eu
:
