/* A box that is built before its command is known. */
#ifndef HF_LAUNCH_BOX_WARM_H
#define HF_LAUNCH_BOX_WARM_H
struct plan;
void await_command(struct plan *plan, int status); /* init */
#endif
