/* The file that describes the machine to start. */
#ifndef HF_GUEST_MACHINE_H
#define HF_GUEST_MACHINE_H
#include <stdbool.h>
#include <stdint.h>
#include "start.h"

struct machine {
  struct strings words; /* of qemu */
  uint64_t patience;    /* milliseconds until the command has to run */
  bool tells;           /* reports on stderr how long the guest took until the command began */
};
const char *machine_read(const char *path, struct machine *machine, struct start *start); /* NULL, or the fault */
const char *read_file(const char *path, struct blob *blob);
#endif
