/* What the small programs in front of Holdfast share: where this user's own servers listen, and which installation a server is of. */
#pragma once
#include <stddef.h>

/* Files of one installation. Absolute. */
struct installation {
  const char *node, *script, *launcher;
};

/* Bytes of the name of a resident supervisor's socket, its NUL included. */
enum { RESIDENT_NAME = 40 };

/* `PREFIX-HASH.sock`: the hash names the files, so that another version, also one that lies in the same place, has another socket.
 * -1 where one of them is not there. As `residentName` of src/serve/resident/resident-name.ts. */
int resident_name(char name[RESIDENT_NAME], const char *prefix, const struct installation *files);

/* A connection to the socket of that name in this user's runtime directory, or -1: the directory is this user's alone, and so is the
 * process that listens, outside of every box. Later reads and writes take at most `patience` milliseconds each. */
int reach_own(const char *name, int patience);
