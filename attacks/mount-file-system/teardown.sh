#!/bin/sh
umount -l m
