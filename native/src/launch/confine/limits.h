/* Resource limits of the command. */
#ifndef HF_LAUNCH_CONFINE_LIMITS_H
#define HF_LAUNCH_CONFINE_LIMITS_H
#include <stdint.h>

struct plan;
void apply_limits(const struct plan *plan);    /* all except the number of processes */
uint64_t other_tasks(const struct plan *plan); /* tasks that count against the process limit but are not the box's */
void limit_processes(const struct plan *plan, uint64_t others);
#endif
