/* A command that is confined before it is known. */
#ifndef HF_LAUNCH_COMMAND_AWAIT_H
#define HF_LAUNCH_COMMAND_AWAIT_H
struct plan;
void bring_command(const struct plan *plan, int orders, int memory); /* the keeper */
void await_orders(struct plan *plan, int orders);                    /* the command */
#endif
