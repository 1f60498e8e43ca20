/* The command's share of outer's surroundings. */
#ifndef HF_LAUNCH_CONFINE_HANDOVER_H
#define HF_LAUNCH_CONFINE_HANDOVER_H
#include <signal.h>
#include <stdbool.h>

struct handover {
  int terminal;  /* the controlling terminal, or -1 */
  int output;    /* the tap's pipe for stderr, or -1 */
  bool merged;   /* stdout goes there too */
  sigset_t mask; /* the signal mask the command starts with */
  int source;    /* where outer reads the tap; a second reader would keep writers waiting that nobody listens to. -1 without it */
};
#endif
