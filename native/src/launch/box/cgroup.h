/* Control groups of a box. */
#ifndef HF_LAUNCH_BOX_CGROUP_H
#define HF_LAUNCH_BOX_CGROUP_H
#include <sys/types.h>

struct plan;
void make_cgroups(const struct plan *plan, pid_t pid);
void enter_cgroups(const struct plan *plan);
void leave_cgroups(const struct plan *plan);
#endif
