/* outer: sends init the command of a warm box, with all names that are protected by now. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bring.h"
#include "../names/hits.h"
#include "../names/links.h"
#include "../names/scan.h"
#include "../paths/path.h"
#include "../plan/bytes.h"
#include "../plan/decode.h"
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../plan/record.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../report/receive.h"

static const char stage[] = "hand over command";

static void write_hit(int fd, const struct hit *hit) {
  const size_t length = strlen(hit->path) + 1;
  struct { uint16_t kind, flags; uint32_t size, root; } head = {K_HIT, (uint16_t)(hit->effect | (hit->symlink ? 4 : 0) | (hit->unpinned ? 8 : 0)), (uint32_t)(4 + length), hit->root};
  write_all(fd, (struct bytes){(const uint8_t *)&head, sizeof head}, stage);
  write_all(fd, (struct bytes){(const uint8_t *)hit->path, length}, stage);
}

/* Searches for all names that exist now, because the mounts of known names may be gone. Names that appeared since the
 * box was built are known from now on, and reported to the supervisor. If no mount protects such a name, the process
 * that answers the box's calls learns of it before the command brings its listener. */
static size_t write_hits(int fd, const struct plan *plan, struct sweep_roots roots) {
  struct findings now = {0};
  struct list new = {0};
  for (unsigned root = 0; root < plan->roots.count; root++) {
    const char *path = LIST_AT(plan->roots, const char *, root);
    int error = scan_root(plan, root, roots.fds[root], &now);
    if (error) fail("look for protected names", path, error);
  }
  find_other_names(plan, roots.fds, &now);
  free_listing(&now.listing);
  for (size_t i = 0; i < now.hits.count; i++) {
    const struct hit *hit = &LIST_AT(now.hits, struct hit, i);
    if (!plan->plain) write_hit(fd, hit);
    if (is_known_hit(roots.before, hit)) continue;
    *(struct hit *)list_push(&new, sizeof *hit) = *hit;
    *(struct hit *)list_push(roots.before, sizeof *hit) = *hit;
  }
  report_hits(plan, &new);
  return new.count;
}

struct brought take_command(const struct plan *plan, struct sweep_roots roots) {
  uint32_t length;
  receive((uint8_t *)&length, sizeof length);
  if (length > MAX_PLAN) fail("decode command", "it is too long", EINVAL);
  uint8_t *bytes = malloc(length ? length : 1);
  int memory = memfd_create("command", MFD_CLOEXEC);
  if (!bytes || memory < 0) fail("memory", "", errno);
  receive(bytes, length);
  write_all(memory, (struct bytes){bytes, length}, stage);
  free(bytes);
  return (struct brought){memory, write_hits(memory, plan, roots)};
}

void hand_over_command(int status, int memory) {
  if (!send_with_fd(status, memory, "x", 1)) fail(stage, "", errno);
  close(memory);
}
