/* Files that stay open between requests. */
#ifndef HF_FILES_HANDLES_H
#define HF_FILES_HANDLES_H
#include <stdint.h>

struct replacement;
struct handle {
  int fd; /* -1: free */
  uint32_t generation;
  struct replacement *replacement;
};
struct handle *new_handle(uint32_t *number); /* NULL and errno EMFILE */
struct handle *find_handle(uint32_t number); /* NULL and errno EBADF */
void free_handle(struct handle *handle);
#endif
