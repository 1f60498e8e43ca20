#!/bin/sh
grep -q " $ARENA/ws/m " /proc/self/mountinfo
