/* The host's message to the guest. */
#ifndef HF_GUEST_START_H
#define HF_GUEST_START_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number { N_UID, N_GID, N_SECONDS, N_NANOSECONDS, N_TERMINALS, N_ROWS, N_COLUMNS, N_PROCESSES, N_FILES, N_CPU, N_FILE_SIZE, N_SHM, N_NETWORK, N_ABSENT, N_LISTED, N_COUNT };
#define UNLIMITED UINT64_MAX
/* N_ABSENT: leading entries of PATH that do not have the command. */
/* N_LISTED: only `programs` may be executed. */
/* N_TERMINALS: bit n for descriptor n. This bit: typed keys go to the guest one by one. */
#define TERMINAL_RAW 8u
struct strings {
  size_t count, size;
  char **items;
};
struct blob {
  size_t length;
  const uint8_t *bytes;
};
struct start {
  uint64_t number[N_COUNT];
  const char *hostname, *cwd;
  struct strings arguments, environment, programs, tmpfs; /* tmpfs: `MODE SIZE PATH` */
  struct blob filter, guard, seed; /* guard: a filter whose calls stop until the host has answered; may be empty */
};
struct blob start_encode(const struct start *start);
bool start_decode(struct start *start, uint8_t *bytes, size_t length); /* strings point into `bytes` */
void strings_push(struct strings *strings, char *item);
#endif
