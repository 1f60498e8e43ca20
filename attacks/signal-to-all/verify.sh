#!/bin/sh
sleep 0.1; ! kill -0 "$(cat victim)" 2> /dev/null
