/* Sockets of this user's own servers. */
#pragma once
/* A connection to the socket of that name in this user's runtime directory, or -1: the directory is this user's alone, and so is the
 * process that listens, outside of every box. Later reads and writes take at most `patience` milliseconds each. */
int reach_own(const char *name, int patience);
