/* Passes the seccomp listener of the command to the process that serves it. */
#ifndef HF_LAUNCH_COMMAND_LISTENER_H
#define HF_LAUNCH_COMMAND_LISTENER_H
#include <sys/types.h>

struct plan;
/* Between the command, which has a filter and must not begin yet, and init. */
struct channel {
  int command, init;
};
struct channel open_channel(const struct plan *plan); /* -1 if the plan has no listener */
pid_t fork_command(const struct plan *plan);
void hand_over_listener(const struct plan *plan, struct channel channel); /* the command: returns when it may continue; `channel.command` stays open if it has more to receive */
int take_listener(struct channel *channel);                               /* init: -1 if the kernel gave none */
void send_listener(int listener);                                         /* init, to outer */
void let_begin(struct channel *channel);
#endif
