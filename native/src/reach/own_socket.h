/* Sockets of this user's own servers. */
#pragma once
/* Connects to the socket with this name in the user's runtime directory, or returns -1. The directory belongs to this
 * user alone, and so does the process that listens, which is outside every box. Each later read or write takes at most
 * `patience` milliseconds. */
int reach_own(const char *name, int patience);
