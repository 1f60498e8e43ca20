/* Shared code of the attack programs: they print their results, complain on stderr, and never claim a success. */
#ifndef ATTACK_TOOL_H
#define ATTACK_TOOL_H
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns `value`, or ends the program if it is negative. */
static inline long must(long value, const char *what) {
  if (value < 0) {
    perror(what);
    exit(1);
  }
  return value;
}

static inline void need(int argc, int least, const char *usage) {
  if (argc >= least) return;
  fprintf(stderr, "usage: %s\n", usage);
  exit(2);
}
#endif
