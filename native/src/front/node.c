#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "node.h"
#include "place.h"
#include "status.h"

/* From its process name, Node learns whether to start a supervisor, for whom, and the kind of stderr:
 * src/cli/front/own-name.ts. */
static const char *own_name(enum asked asked) {
  static const char *const names[][2] = {
      [NOBODY] = {"holdfast-front", "holdfast-front"},
      [COLD] = {"holdfast", "holdfast"},
      [SERVES_NOBODY] = {"holdfast-front-served", "holdfast-front-served-tty"},
      [SERVES_COLD] = {"holdfast-served", "holdfast-served-tty"},
  };
  return names[asked][isatty(2) ? 1 : 0];
}

_Noreturn void run_node(const struct place *place, char **words, enum asked asked) {
  size_t count = 0;
  while (words[count] != NULL) count++;
  char **all = calloc(count + 3, sizeof *all);
  if (all != NULL) {
    all[0] = (char *)own_name(asked);
    all[1] = (char *)place->files.script;
    memcpy(all + 2, words, count * sizeof *all);
    execv(place->files.node, all);
  }
  fprintf(stderr, "holdfast: %s cannot be started: %s\nholdfast: to fix it: install Node 22.18 or newer [HF_LAUNCHER_MISSING]\n",
          place->files.node, strerror(errno));
  _exit(FAILED);
}
