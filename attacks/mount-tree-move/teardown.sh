#!/bin/sh
umount -l here
