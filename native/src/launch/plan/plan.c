/* What follows from a plan as a whole. */
#include <string.h>
#include "plan.h"

bool has_network(const struct plan *plan) {
  return plan->listeners.count > 0;
}

bool waits_confined(const struct plan *plan) {
  return plan->warm && plan->plain && plan->notify == NOTIFY_SUPERVISOR;
}

static bool is_among(struct list paths, const char *path) {
  for (size_t i = 0; i < paths.count; i++)
    if (strcmp(LIST_AT(paths, const char *, i), path) == 0) return true;
  return false;
}

bool is_git_root(const struct plan *plan, const char *path) {
  return is_among(plan->git_roots, path);
}

bool is_shown_root(const struct plan *plan, unsigned root) {
  return is_among(plan->shown_roots, LIST_AT(plan->roots, const char *, root));
}

const struct layer_directory *staged_upper(const struct plan *plan, unsigned root) {
  const char *path = LIST_AT(plan->roots, const char *, root);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_OVERLAY && step->upper.path && strcmp(step->target, path) == 0) return &step->upper;
  }
  return NULL;
}

bool is_staged_root(const struct plan *plan, unsigned root) {
  return staged_upper(plan, root) != NULL;
}
