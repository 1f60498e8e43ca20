/* holdfast: the program that a person types. It passes a `run` to the user's resident supervisor, and becomes the
 * launcher of the box that the supervisor plans. If no supervisor answers in time, or the run is not for it, Node does
 * the same work. This program makes no decisions itself. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "node.h"
#include "place.h"
#include "served.h"
#include "status.h"
#include "supervisor.h"

/* If a standard stream were closed, the first file to be opened would take its number, and the command would write into
 * that file. */
static void hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) _exit(FAILED);
}

static int wants_supervisor(void) {
  const char *wish = getenv("HOLDFAST_RESIDENT");
  return wish == NULL || strcmp(wish, "never") != 0;
}

static int is_run(char **words) {
  return words[0] != NULL && strcmp(words[0], "run") == 0;
}

int main(int count, char **words) {
  hold_streams();
  struct place place = find_place();
  char **asked_for = words + 1;
  if (!is_run(asked_for)) run_node(&place, asked_for, COLD);
  int supervised = wants_supervisor();
  enum asked asked = supervised ? ask_supervisor(&place, asked_for) : COLD;
  if (wants_box(asked_for) && (asked == NOBODY || !supervised)) run_served(&place, asked_for, asked);
  run_node(&place, asked_for, asked);
}
