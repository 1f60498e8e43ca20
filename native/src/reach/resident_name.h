/* The installation of a server. */
#pragma once
/* Files of one installation, as absolute paths. */
struct installation {
  const char *node, *script, *launcher;
};

/* Bytes of the name of a resident supervisor's socket, including its NUL. */
enum { RESIDENT_NAME = 40 };

/* `PREFIX-HASH.sock`: the hash identifies the files, so that another version, even at the same path, has another
 * socket. -1 if one of the files is missing. As in `residentName` of src/serve/resident/resident-name.ts. */
int resident_name(char name[RESIDENT_NAME], const char *prefix, const struct installation *files);
