/* Whether a decoded plan is complete. NULL, or its missing or surplus part. */
#ifndef HF_LAUNCH_PLAN_CHECK_H
#define HF_LAUNCH_PLAN_CHECK_H
struct plan;
const char *check_command(struct plan *plan);
const char *check_complete(struct plan *plan);
#endif
