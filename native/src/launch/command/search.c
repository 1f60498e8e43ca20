/* Searches PATH as the command has it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "search.h"
#include "../plan/plan.h"

static const char *search_path(const struct plan *plan) {
  const char *path = "/usr/bin:/bin";
  for (char **e = plan->envp; *e; e++)
    if (strncmp(*e, "PATH=", 5) == 0) path = *e + 5;
  return path;
}

/* Leading entries of PATH that do not have the program. Each would cost one more call that has to be answered. An entry
 * that cannot be seen counts as having it. */
uint32_t absent_entries(const struct plan *plan) {
  const char *name = plan->argv[0], *path = search_path(plan), *end;
  char candidate[4096];
  struct stat st;
  uint32_t absent = 0;
  if (strchr(name, '/')) return 0;
  for (;; path = end + 1, absent++) {
    end = strchrnul(path, ':');
    bool fits = *path == '/' && snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, name) < (int)sizeof candidate;
    if (fits && (stat(candidate, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))) return absent;
    if (!*end) return absent;
  }
}

int exec_in_path(const struct plan *plan) {
  const char *name = plan->argv[0], *path = search_path(plan);
  if (strchr(name, '/')) return execve(name, plan->argv, plan->envp), errno;
  uint32_t absent = plan->absent;
  int error = ENOENT;
  char candidate[4096];
  for (const char *end; ; path = end + 1) {
    end = strchrnul(path, ':');
    bool skipped = absent > 0;
    absent -= skipped;
    /* A relative or empty entry would find programs in the workspace. */
    if (!skipped && *path == '/' && snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, name) < (int)sizeof candidate) {
      execve(candidate, plan->argv, plan->envp);
      if (errno != ENOENT && errno != ENOTDIR) error = errno;
    }
    if (!*end) return error;
  }
}
