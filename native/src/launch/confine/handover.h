/* The parts of outer's surroundings that the command gets. */
#ifndef HF_LAUNCH_CONFINE_HANDOVER_H
#define HF_LAUNCH_CONFINE_HANDOVER_H
#include <signal.h>
#include <stdbool.h>

struct handover {
  int terminal;  /* the controlling terminal, or -1 */
  int output;    /* the tap's pipe for stderr, or -1 */
  bool merged;   /* stdout goes there too */
  sigset_t mask; /* the signal mask the command starts with */
  int source;    /* where outer reads the tap; -1 without a tap. A second reader would keep writers waiting that no process reads from */
};
#endif
