/* Looks for protected names that appeared while the box ran. */
#ifndef HF_LAUNCH_NAMES_SWEEP_H
#define HF_LAUNCH_NAMES_SWEEP_H
struct list;
struct plan;
enum aside { ASIDE_REPORT, ASIDE_RENAME };
void sweep(const struct plan *plan, const int *root_fds, struct list *before, enum aside aside);
#endif
