#!/bin/sh
"$@"
:
