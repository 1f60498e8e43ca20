/* The command, as the guest runs it. */
#ifndef HF_GUEST_INIT_COMMAND_H
#define HF_GUEST_INIT_COMMAND_H
#include <sys/types.h>

struct guard;
struct start;
void open_pids(const struct start *start);
struct command {
  pid_t pid; /* 0 while it is not known */
  int in, out, err; /* this end; one descriptor of a terminal may be used for all of them */
  int master, slave, failed;
  int session; /* its keeper sends u32 PID of the command, then each u32 status of waitpid */
};
void start_command(const struct start *start, struct command *command, struct guard *guard);
#endif
