/* The file that a caller in the guest would start. */
#ifndef HF_GUEST_INIT_PROGRAM_H
#define HF_GUEST_INIT_PROGRAM_H
#include <sys/types.h>

struct execution {
  pid_t pid;
  int directory, flags; /* as in execveat */
  const char *path;     /* as the caller wrote it */
};
#define NAMED_ROOM 8192u
/* Writes its absolute path, which means the same file in the box. Returns 0, or the errno of a refusal. */
int find_program(const struct execution *execution, char named[NAMED_ROOM]);
#endif
