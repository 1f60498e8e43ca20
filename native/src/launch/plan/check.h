/* Checks that a decoded plan is complete. Returns NULL, or names the missing or surplus part. */
#ifndef HF_LAUNCH_PLAN_CHECK_H
#define HF_LAUNCH_PLAN_CHECK_H
struct plan;
const char *check_command(struct plan *plan);
const char *check_complete(struct plan *plan);
#endif
