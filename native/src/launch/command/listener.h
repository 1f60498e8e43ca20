/* Hands the seccomp listener of the command to anyone who serves it. */
#ifndef HF_LAUNCH_COMMAND_LISTENER_H
#define HF_LAUNCH_COMMAND_LISTENER_H
#include <sys/types.h>

struct plan;
/* Between the command, which has a filter and may not begin, and init. */
struct channel {
  int command, init;
};
struct channel open_channel(const struct plan *plan); /* -1 where the plan has no listener */
pid_t fork_command(const struct plan *plan);
void hand_over_listener(const struct plan *plan, struct channel channel); /* the command: returns when it may go on; `channel.command` stays open where it has more to hear */
int take_listener(struct channel *channel);                               /* init: -1 where the kernel gave none */
void send_listener(int listener);                                         /* init, to outer */
void let_begin(struct channel *channel);
#endif
