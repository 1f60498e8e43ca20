/* Looks for protected names that appeared while the box ran. */
#ifndef HF_LAUNCH_NAMES_SWEEP_H
#define HF_LAUNCH_NAMES_SWEEP_H
struct findings;
struct plan;
enum aside { ASIDE_REPORT, ASIDE_RENAME };
void sweep(const struct plan *plan, const int *root_fds, struct findings *first, enum aside aside);
#endif
