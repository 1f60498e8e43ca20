/* The installation of a server. */
#pragma once
/* Files of one installation. Absolute. */
struct installation {
  const char *node, *script, *launcher;
};

/* Bytes of the name of a resident supervisor's socket, its NUL included. */
enum { RESIDENT_NAME = 40 };

/* `PREFIX-HASH.sock`: the hash names the files, so that another version, also one that is in the same place, has another socket.
 * -1 where one of them is not there. As `residentName` of src/serve/resident/resident-name.ts. */
int resident_name(char name[RESIDENT_NAME], const char *prefix, const struct installation *files);
