/* Repositories that begin in this box, in a directory that held nothing: `git clone`, `worktree add` and `submodule add` bring
 * workflows and editor settings along, and nobody outside has opened such a directory yet. What they brought is judged at the end. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include "repositories.h"
#include "place.h"

#define MOST_REPOSITORIES 64

static char *repositories[MOST_REPOSITORIES];
static unsigned count;

static bool is_empty(int directory) {
  int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = fd < 0 ? NULL : fdopendir(fd);
  if (!entries) return false;
  unsigned found = 0;
  while (found < 3 && readdir(entries)) found++;
  closedir(entries);
  return found == 2; /* itself and the one above */
}

void note_repository(const struct place *place) {
  if (count == MOST_REPOSITORIES || !is_empty(place->directory)) return;
  const char *end = strrchr(place->path, '/');
  char *path = strndup(place->path, (size_t)(end - place->path));
  if (path) repositories[count++] = path;
}

bool is_in_new_repository(const char *path) {
  for (unsigned i = 0; i < count; i++) {
    size_t length = strlen(repositories[i]);
    if (strncmp(path, repositories[i], length) == 0 && path[length] == '/') return true;
  }
  return false;
}
