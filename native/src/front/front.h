/* holdfast: the program that a person types. A `run` is handed to the user's resident supervisor, and this process becomes the launcher
 * of the box that comes back. Where none answers in time, or the run is not for it, Node does the same work. It decides nothing itself. */
#pragma once
#include <stddef.h>
#include "../reach/reach.h"

/* The descriptor on which a launcher hears its supervisor, as in launch/report/control.h. */
enum { SUPERVISOR_FD = 3 };
enum { FAILED = 125 };

struct place {
  struct installation files;
  const char *root;
};

/* Finds the installation around this program. Ends it, and says what to do, where that is not whole. */
struct place find_place(void);

/* What a supervisor is asked for. The caller frees it. `bytes` is NULL where it is more than a supervisor takes. */
struct request {
  unsigned char *bytes;
  size_t length;
};
struct request write_request(char **words);

/* NOBODY: there is no supervisor, or it is of no use any more. COLD: it leaves this to Node. */
enum asked { NOBODY, COLD };

/* Returns where Node has to do it; ends with the status of the command, or of what kept it from running, elsewhere. */
enum asked ask_supervisor(const struct place *place, char **words);

/* Where there was nobody, Node starts a supervisor for the next runs. */
_Noreturn void run_node(const struct place *place, char **words, enum asked asked);
