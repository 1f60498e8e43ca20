/* Open files that outlive their request. A number is not reused soon, so that a late `close` cannot hit another file. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include "handles.h"
#include "protocol.h"

static struct handle handles[MAX_HANDLES];
static bool ready;

static void prepare(void) {
  for (unsigned i = 0; !ready && i < MAX_HANDLES; i++) handles[i].fd = -1;
  ready = true;
}

struct handle *new_handle(uint32_t *number) {
  prepare();
  for (uint32_t i = 0; i < MAX_HANDLES; i++) {
    if (handles[i].fd >= 0) continue;
    handles[i].generation = (handles[i].generation + 1) % (UINT32_MAX / MAX_HANDLES);
    *number = handles[i].generation * MAX_HANDLES + i;
    return &handles[i];
  }
  errno = EMFILE;
  return NULL;
}

struct handle *find_handle(uint32_t number) {
  struct handle *handle = &handles[number % MAX_HANDLES];
  if (ready && handle->fd >= 0 && handle->generation == number / MAX_HANDLES) return handle;
  errno = EBADF;
  return NULL;
}

void free_handle(struct handle *handle) {
  handle->fd = -1;
  handle->replacement = NULL;
}
