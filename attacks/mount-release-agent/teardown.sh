#!/bin/sh
rmdir cg/x; umount cg
