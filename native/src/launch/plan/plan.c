/* Facts about a plan as a whole. */
#include <string.h>
#include <sys/syscall.h>
#include "plan.h"

#define IS_EQUAL 0x15 /* linux/bpf_common.h: BPF_JMP | BPF_JEQ | BPF_K */

/* linux/filter.h: struct sock_filter */
struct filter_step {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t value;
};

bool has_network(const struct plan *plan) {
  return plan->listeners.count > 0;
}

bool waits_confined(const struct plan *plan) {
  return plan->warm && plan->plain && plan->notify == NOTIFY_SUPERVISOR;
}

bool looks_at_new_names(const struct plan *plan) {
  struct filter_step step;
  for (size_t i = 0; i < plan->notify_length; i++) {
    memcpy(&step, plan->notify_filter + i * sizeof step, sizeof step);
    if (step.code == IS_EQUAL && step.value == SYS_mkdirat) return true;
  }
  return false;
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
