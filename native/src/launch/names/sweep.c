/* Runs after the box has ended. Finds protected names that exist now and did not exist before, or were something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "sweep.h"
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/report.h"
#include "findings.h"
#include "hits.h"
#include "match.h"
#include "scan.h"
#include "seen.h"

#define REFUSED_SUFFIX ".refused-by-holdfast"

/* The supervisor judges and quarantines new names. If it is gone, they are renamed so that they have no effect, and
 * never deleted. */
static void put_aside(int root_fd, const struct hit *hit) {
  char name[8300];
  if (snprintf(name, sizeof name, "%s" REFUSED_SUFFIX, hit->path) >= (int)sizeof name) return;
  syscall(SYS_renameat2, root_fd, hit->path, root_fd, name, 1u /* RENAME_NOREPLACE */);
}

static void announce(const struct plan *plan, const struct hit *hit) {
  char path[8300];
  const char *root = LIST_AT(plan->roots, const char *, hit->root);
  int length = snprintf(path, sizeof path, "%s/%s", root[1] ? root : "", hit->path);
  if (length > 0 && length < (int)sizeof path) report(R_APPEARED, path, (size_t)length);
}

static bool lies_in_a_root(const struct plan *plan, const char *path) {
  for (unsigned i = 0; i < plan->roots.count; i++) {
    const char *root = LIST_AT(plan->roots, const char *, i);
    size_t length = root[1] ? strlen(root) : 0;
    if (!is_shown_root(plan, i) && strncmp(path, root, length) == 0 && path[length] == '/') return true;
  }
  return false;
}

/* Attack: a protected name is a dangling link, and a command creates its target. */
static bool leads_somewhere_now(const struct plan *plan, int root_fd, const struct hit *known, const struct hit *now) {
  char path[4096];
  return known->target.inode == 0 && now->target.inode != 0 && path_behind(root_fd, now->path, path) && lies_in_a_root(plan, path);
}

void sweep(const struct plan *plan, const int *root_fds, struct findings *first, enum aside aside) {
  struct list *before = &first->hits;
  if (before->count) qsort(before->items, before->count, sizeof(struct hit), compare_hits);
  struct findings after = {.after = true, .before = before, .known = first->seen && may_recognise(first->seen) ? first->seen : NULL};
  for (unsigned root = 0; root < plan->roots.count; root++) {
    if (is_shown_root(plan, root) || is_staged_root(plan, root)) continue;
    int error = scan_root(plan, root, root_fds[root], &after);
    if (error) report_failure("sweep", LIST_AT(plan->roots, const char *, root), error);
  }
  free_listing(&after.listing);
  for (size_t i = 0; i < after.hits.count; i++) {
    const struct hit *hit = &LIST_AT(after.hits, struct hit, i);
    const struct hit *known = before->count ? bsearch(hit, before->items, before->count, sizeof *hit, compare_hits) : NULL;
    if (known && !leads_somewhere_now(plan, root_fds[hit->root], known, hit)) continue;
    if (aside == ASIDE_RENAME) put_aside(root_fds[hit->root], hit);
    else announce(plan, hit);
  }
}
