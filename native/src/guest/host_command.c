/* Describes the command and its surroundings to the guest. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include "host_command.h"
#include "host_terminal.h"

/* The guest would ask for each entry over its file system, one directory at a time. An entry that cannot be seen counts
 * as present. The guest's own memory is empty. */
static uint64_t absent_entries(const char *name) {
  const char *path = getenv("PATH"), *end;
  char candidate[4096];
  struct stat st;
  uint64_t absent = 0;
  if (!path || strchr(name, '/')) return 0;
  for (;; path = end + 1, absent++) {
    end = strchrnul(path, ':');
    bool fits = *path == '/' && snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, name) < (int)sizeof candidate;
    if (fits && (stat(candidate, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))) return absent;
    if (!*end) return absent;
  }
}

bool describe_command(struct start *start, char **argv) {
  static char hostname[256], cwd[4096];
  static uint8_t seed[64];
  extern char **environ;
  uint64_t *number = start->number;
  if (gethostname(hostname, sizeof hostname - 1) || !getcwd(cwd, sizeof cwd) || getrandom(seed, sizeof seed, 0) != sizeof seed) return false;
  for (char **word = argv; *word; word++) strings_push(&start->arguments, *word);
  for (char **entry = environ; *entry; entry++) strings_push(&start->environment, *entry);
  start->hostname = hostname;
  start->cwd = cwd;
  start->seed = (struct blob){sizeof seed, seed};
  number[N_UID] = getuid();
  number[N_GID] = getgid();
  number[N_ABSENT] = absent_entries(argv[0]);
  find_terminals(number);
  return true;
}
