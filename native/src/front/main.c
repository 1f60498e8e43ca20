/* holdfast: the program that a person types. A `run` is handed to the user's resident supervisor, and this process becomes the launcher
 * of the box that comes back. Where none answers in time, or the run is not for it, Node does the same work. It decides nothing itself. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "node.h"
#include "place.h"
#include "status.h"
#include "supervisor.h"

/* A stream that is closed would be taken by the first file that is opened, and the command would write into that. */
static void hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) _exit(FAILED);
}

static int wants_supervisor(char **words) {
  const char *wish = getenv("HOLDFAST_RESIDENT");
  return words[0] != NULL && strcmp(words[0], "run") == 0 && (wish == NULL || strcmp(wish, "never") != 0);
}

int main(int count, char **words) {
  hold_streams();
  struct place place = find_place();
  run_node(&place, words + 1, wants_supervisor(words + 1) ? ask_supervisor(&place, words + 1) : COLD);
}
