/* Landlock: the files that the command may open, and the processes that it may signal. */
#ifndef HF_LAUNCH_CONFINE_LANDLOCK_H
#define HF_LAUNCH_CONFINE_LANDLOCK_H
struct handover;
struct plan;
int landlock_abi(void);
int landlock_ruleset(const struct plan *plan, int abi, const struct handover *hand); /* -1 when Landlock is absent and not required */
#endif
