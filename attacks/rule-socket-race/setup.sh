#!/bin/sh
set -eu
mkdir tmp
