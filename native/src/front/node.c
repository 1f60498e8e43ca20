#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "front.h"

/* Node tells by the name that it was started as whether the front did it. `resident` asks for a supervisor to be started, as
 * src/cli/resident/start-resident.ts has it. */
static const char *own_name(void) {
  const char *wish = getenv("HOLDFAST_RESIDENT");
  return wish != NULL && strcmp(wish, "never") == 0 ? "holdfast" : "holdfast-front";
}

_Noreturn void run_node(const struct place *place, char **words) {
  size_t count = 0;
  while (words[count] != NULL) count++;
  char **all = calloc(count + 3, sizeof *all);
  if (all != NULL) {
    all[0] = (char *)own_name();
    all[1] = (char *)place->files.script;
    memcpy(all + 2, words, count * sizeof *all);
    execv(place->files.node, all);
  }
  fprintf(stderr, "holdfast: %s cannot be started: %s\nholdfast: to fix it: install Node 22.18 or newer [HF_LAUNCHER_MISSING]\n",
          place->files.node, strerror(errno));
  _exit(FAILED);
}
