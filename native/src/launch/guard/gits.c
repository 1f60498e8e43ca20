/* Decides by names alone, before there is any content. The supervisor judges the content after the box has ended. */
#include <string.h>
#include "gits.h"

static bool hooks_made;

bool hooks_were_made(void) {
  return hooks_made;
}

/* As in `src/aftermath/quarantine/judge.ts`, as far as it can be decided before there is any content. */
bool may_be_gits(const struct protected_name *name, const char *last, enum made made) {
  if (!name || strcmp(name->component[0], ".git") != 0) return false;
  if (name->components == 1) return strcmp(last, ".git") == 0 && made != MADE_OTHER;
  if (strcmp(last, "hooks") == 0 && made == MADE_DIRECTORY) return hooks_made = true;
  if (made != MADE_FILE) return false;
  if (strcmp(last, "config") == 0 || strcmp(last, "config.worktree") == 0) return true;
  return name->components == 4 && strcmp(name->component[1], "worktrees") == 0 && (strcmp(last, "commondir") == 0 || strcmp(last, "gitdir") == 0);
}

bool is_sample(const char *name) {
  size_t length = strlen(name);
  return length > 7 && strcmp(name + length - 7, ".sample") == 0;
}
