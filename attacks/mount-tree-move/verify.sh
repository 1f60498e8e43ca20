#!/bin/sh
test -e here/secret
