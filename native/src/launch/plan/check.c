/* Refuses a plan that lacks parts which a box needs, or that has steps which its kind of box cannot carry out. */
#include <string.h>
#include "check.h"
#include "list.h"
#include "plan.h"

static char **as_vector(struct list *list) {
  *(char **)list_push(list, sizeof(char *)) = NULL;
  return list->items;
}

const char *check_command(struct plan *plan) {
  if (plan->arguments.count == 0) return "there is no command";
  if (!plan->cwd) return "there is no working directory";
  plan->argv = as_vector(&plan->arguments);
  plan->envp = as_vector(&plan->environment);
  return NULL;
}

/* Never skips a step that only mounts or namespaces could carry out. */
static const char *check_plain(const struct plan *plan) {
  if (plan->warm && !plan->cwd) return "there is no working directory";
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    bool same = step->kind == M_BIND && strcmp(step->source, step->target) == 0;
    if (!same && step->kind != M_TMPFS) return "a box without namespaces cannot have mounts";
  }
  if (plan->minimum_landlock == 0) return "a box without namespaces has to require Landlock";
  bool more = plan->helper.count || plan->listeners.count || plan->netlink.count || plan->sysctls.count || plan->keeper || plan->forwards;
  return more || plan->nests || plan->notify == NOTIFY_GUARD ? "a box without namespaces has parts that need them" : NULL;
}

const char *check_complete(struct plan *plan) {
  if (plan->filter_length == 0 || plan->filter_length > 4096) return "there is no seccomp filter";
  const char *wrong = plan->plain ? check_plain(plan) : NULL;
  return wrong || plan->warm ? wrong : check_command(plan);
}
