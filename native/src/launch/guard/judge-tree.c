/* A directory that is moved takes its entries along: `mv staging .git` turns plain files into hooks. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "judge-tree.h"
#include "../names/names.h"
#include "../plan/plan.h"
#include "gits.h"
#include "place.h"

enum { MOST_COMPONENTS = 64 };

static enum judgement judge_hooks(int directory);
static enum judgement judge_entry(const struct step *step, int directory, const struct states *above, struct place *place);

static bool is_dots(const char *name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

/* Checks only names that continue from the directories above, because a name that begins in the tree was already
 * protected at its old path. Attack: it was not, if the tree leaves a package. Then names may begin anywhere.
 * Closes `directory`, and leaves the refused name in `place`. */
enum judgement judge_tree(const struct step *step, int directory, const struct states *above, struct place *place) {
  DIR *entries = fdopendir(directory);
  if (!entries) return REFUSED;
  enum judgement judgement = ALLOWED;
  for (struct dirent *entry; judgement == ALLOWED && (entry = readdir(entries));)
    if (!is_dots(entry->d_name)) judgement = judge_entry(&(struct step){step->plan, entry->d_name, step->zone, step->from, NULL, NULL}, directory, above, place);
  closedir(entries);
  return judgement;
}

/* Deeper than the stack may be. */
static bool is_deep(const struct place *place) {
  unsigned components = 0;
  for (const char *at = place->path; *at; at++) components += *at == '/';
  return components > MOST_COMPONENTS;
}

static void add_component(struct place *place, const char *entry) {
  size_t length = strlen(place->path);
  if (length + strlen(entry) + 2 > sizeof place->path) return;
  place->path[length] = '/';
  strcpy(place->path + length + 1, entry);
}

static enum judgement judge_entry(const struct step *step, int directory, const struct states *above, struct place *place) {
  struct states below;
  const struct protected_name *name = NULL;
  struct stat st;
  int effect = advance_names(step, above, &below, &name);
  if (effect == -1 && below.count == 0 && (step->from == STEP_FROM_ABOVE || is_deep(place))) return step->from == STEP_FROM_ABOVE ? ALLOWED : REFUSED;
  size_t length = strlen(place->path);
  add_component(place, step->entry);
  if (effect == TOO_MANY_NAMES || fstatat(directory, step->entry, &st, AT_SYMLINK_NOFOLLOW)) return REFUSED;
  enum made made = S_ISDIR(st.st_mode) ? MADE_DIRECTORY : S_ISREG(st.st_mode) ? MADE_FILE : MADE_OTHER;
  if (effect >= 0 && !may_be_gits(name, step->entry, made)) return REFUSED;
  place->path[made == MADE_DIRECTORY ? strlen(place->path) : length] = 0;
  if (made != MADE_DIRECTORY) return ALLOWED;
  int inner = openat(directory, step->entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return REFUSED;
  struct step next = {step->plan, step->entry, zone_below(step->zone, step->entry), step->from, NULL, NULL};
  enum judgement judgement = effect >= EFFECT_READ_ONLY ? judge_hooks(inner) : judge_tree(&next, inner, &below, place);
  if (judgement == ALLOWED) place->path[length] = 0;
  return judgement;
}

static enum judgement judge_hooks(int directory) {
  DIR *entries = fdopendir(directory);
  if (!entries) return REFUSED;
  enum judgement judgement = ALLOWED;
  struct stat st;
  for (struct dirent *entry; judgement == ALLOWED && (entry = readdir(entries));)
    if (!is_dots(entry->d_name) && !(is_sample(entry->d_name) && fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))) judgement = REFUSED;
  closedir(entries);
  return judgement;
}
