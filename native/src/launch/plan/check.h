/* Whether what was decoded is whole. NULL, or what is missing or too much. */
#ifndef HF_LAUNCH_PLAN_CHECK_H
#define HF_LAUNCH_PLAN_CHECK_H
struct plan;
const char *check_command(struct plan *plan);
const char *check_complete(struct plan *plan);
#endif
