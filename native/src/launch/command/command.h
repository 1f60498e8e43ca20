/* The command's own process, from its fork to its exec. */
#ifndef HF_LAUNCH_COMMAND_COMMAND_H
#define HF_LAUNCH_COMMAND_COMMAND_H
#include "../confine/handover.h"
#include "listener.h"

struct plan;
/* Everything that is prepared when the command is forked. */
struct start {
  int ruleset; /* of Landlock, or -1 */
  struct handover hand;
  struct channel channel;
};
_Noreturn void run_command(struct plan *plan, struct start start);
#endif
