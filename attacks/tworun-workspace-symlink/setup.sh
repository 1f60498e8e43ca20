#!/bin/sh
set -eu
mkdir sub
