/* Decides whether a new name may appear. Git's own files in a new repository may: after the box has ended, the
 * supervisor judges them by their content. It also judges every other file that passed the guard. */
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "judge.h"
#include "../names/names.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "gits.h"
#include "repositories.h"

static enum judgement judge_place(const struct plan *plan, const struct new_name *name, const struct stat *moved, struct place *place);

static const char *last_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Last components of protected names, indexed by their first byte, or by their last byte if they begin with a wildcard. */
struct ends {
  struct list by_first[256], by_last[256];
};

static bool is_wildcard(char c) {
  return c == '*' || c == '?';
}

static void add_end(struct ends *ends, const char *end) {
  bool from_behind = is_wildcard(end[0]);
  char known = from_behind ? end[strlen(end) - 1] : end[0];
  struct list *lists = from_behind ? ends->by_last : ends->by_first;
  for (int byte = 0; byte < 256; byte++)
    if (is_wildcard(known) || (byte | 32) == ((uint8_t)known | 32)) *(const char **)list_push(&lists[byte], sizeof end) = end;
}

static bool matches_one(const struct list *ends, const char *last) {
  for (size_t i = 0; i < ends->count; i++)
    if (name_matches(LIST_AT(*ends, const char *, i), last)) return true;
  return false;
}

/* Most new names match the last component of no protected name, in any directory. */
static bool ends_a_name(const struct plan *plan, const char *last) {
  static struct ends ends;
  static bool indexed;
  for (size_t i = 0; !indexed && i < plan->names.count; i++) {
    const struct protected_name *name = &LIST_AT(plan->names, struct protected_name, i);
    /* A box may create them, and one that ends in a wildcard would make each name suspect. */
    if (!name->suspect) add_end(&ends, name->component[name->components - 1]);
  }
  for (size_t i = 0; !indexed && i < plan->guarded.count; i++) add_end(&ends, last_of(LIST_AT(plan->guarded, const char *, i)));
  indexed = true;
  size_t length = strlen(last);
  return matches_one(&ends.by_first[(uint8_t)last[0]], last) || matches_one(&ends.by_last[(uint8_t)last[length ? length - 1 : 0]], last);
}

static bool may_be_link(const struct target *target) {
  struct stat st;
  enum found found = stat_target(target, &st, O_NOFOLLOW);
  return found == FOUND_UNSURE || (found == FOUND && S_ISLNK(st.st_mode));
}

static enum judgement judge_move(const struct plan *plan, struct new_name *name, struct place *place, bool suspect) {
  struct stat moved;
  enum found found = stat_target(&name->old, &moved, O_NOFOLLOW);
  if (found != FOUND) return found == FOUND_NOTHING ? ALLOWED : REFUSED; /* it does not exist, so the kernel will find nothing to move */
  name->moved = moved.st_mode;
  if (!suspect && !S_ISDIR(moved.st_mode)) return ALLOWED;
  found = find_place(&name->new, false, place);
  if (found != FOUND) return found == FOUND_NOTHING ? ALLOWED : REFUSED;
  enum judgement judgement = judge_place(plan, name, &moved, place);
  close(place->directory);
  return judgement;
}

static enum judgement judge_creation(const struct plan *plan, const struct new_name *name, struct place *place, bool suspect) {
  struct stat there;
  if (!suspect && !(name->follows && may_be_link(&name->new))) return ALLOWED;
  /* An existing file is not new, and the mounts control its use. */
  if (stat_target(&name->new, &there, name->follows ? 0 : O_NOFOLLOW) == FOUND) return ALLOWED;
  enum found found = find_place(&name->new, name->follows, place);
  if (found != FOUND) return found == FOUND_NOTHING ? ALLOWED : REFUSED;
  enum judgement judgement = judge_place(plan, name, NULL, place);
  close(place->directory);
  return judgement;
}

enum judgement judge_new_name(const struct plan *plan, struct new_name *name, struct place *place) {
  place->path[0] = 0;
  enum found found = name->creation == MOVES ? read_targets(&name->new, &name->old) : read_target(&name->new);
  if (found != FOUND) return found == FOUND_NOTHING ? ALLOWED : REFUSED;
  bool suspect = hooks_were_made() || ends_a_name(plan, last_of(name->new.path));
  if (name->creation != MOVES) return judge_creation(plan, name, place, suspect);
  enum judgement judgement = judge_move(plan, name, place, suspect);
  if (judgement == REFUSED || !name->exchanges) return judgement;
  struct new_name back = {.creation = MOVES, .old = name->new, .new = name->old};
  return judge_move(plan, &back, place, hooks_were_made() || ends_a_name(plan, last_of(back.new.path)));
}

static bool lies_in(const char *path, const char *directory) {
  size_t length = directory[1] ? strlen(directory) : 0;
  return strncmp(path, directory, length) == 0 && path[length] == '/';
}

/* A writable part of the host. Private parts of the box are removed with it. */
bool stays_on_host(const struct plan *plan, const char *path) {
  const struct mount_step *cover = NULL;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_DIRECTORY || step->kind == M_SYMLINK || !lies_in(path, step->target)) continue;
    if (!cover || strlen(step->target) >= strlen(cover->target)) cover = step;
  }
  return cover && cover->kind == M_BIND && cover->flags & BIND_WRITABLE;
}

int root_of(const struct plan *plan, const char *path) {
  for (unsigned root = 0; root < plan->roots.count; root++)
    if (!is_shown_root(plan, root) && lies_in(path, LIST_AT(plan->roots, const char *, root))) return (int)root;
  return -1;
}

static enum made made_by(const struct new_name *name, const struct stat *moved) {
  if (moved) return S_ISDIR(moved->st_mode) ? MADE_DIRECTORY : S_ISREG(moved->st_mode) ? MADE_FILE : MADE_OTHER;
  return name->creation == CREATES_FILE ? MADE_FILE : name->creation == CREATES_DIRECTORY ? MADE_DIRECTORY : MADE_OTHER;
}

/* The state after one component of a path. */
struct progress {
  struct states states;
  enum zone zone;
  int effect; /* of the last component, or -1 */
  const struct protected_name *name;
};

/* `relative` ends in `component`. False if too many names have begun. */
static bool go_on(const struct plan *plan, unsigned root, const char *relative, const char *component, struct progress *progress) {
  struct states below;
  progress->name = NULL;
  progress->effect = advance_names(&(struct step){plan, component, progress->zone, STEP_ANYWHERE, NULL, NULL}, &progress->states, &below, &progress->name);
  if (progress->effect == TOO_MANY_NAMES) return false;
  if (progress->effect < EFFECT_READ_ONLY && is_guarded(plan, root, relative)) progress->effect = EFFECT_READ_ONLY, progress->name = NULL;
  if (progress->effect >= 0 && is_released(plan, root, relative)) progress->effect = -1;
  progress->zone = zone_below(progress->zone, component);
  progress->states = below;
  return true;
}

static enum judgement refuse(const struct protected_name *name, const char *path) {
  bool gits = name && strcmp(name->component[0], ".git") == 0;
  return !gits && is_in_new_repository(path) ? ALLOWED : REFUSED;
}

/* Whether it lies in packages, where names have no effect, and goes where they have one. The directory of packages itself
 * may move: every real one holds such names, and the sweep finds them. */
static bool leaves_package(const struct target *old, enum zone zone) {
  struct place from;
  enum zone above = ZONE_ORDINARY;
  if (zone == ZONE_EXEMPT) return false;
  /* Attack: a path that is too long to be described. */
  enum found found = find_place(old, false, &from);
  if (found != FOUND) return found == FOUND_UNSURE;
  close(from.directory);
  char *at = from.path + 1;
  for (char *slash; (slash = strchr(at, '/')); at = slash + 1) {
    *slash = 0;
    above = zone_below(above, at);
  }
  return above == ZONE_EXEMPT;
}

static enum judgement judge_place(const struct plan *plan, const struct new_name *name, const struct stat *moved, struct place *place) {
  int root = root_of(plan, place->path);
  if (root < 0 || !stays_on_host(plan, place->path)) return ALLOWED;
  const char *root_path = LIST_AT(plan->roots, const char *, root);
  struct progress progress = {.effect = -1};
  if (enter_names(plan, root_path, &progress.states, &progress.zone)) return REFUSED;
  char *relative = place->path + (root_path[1] ? strlen(root_path) + 1 : 1), *component = relative, *slash;
  enum made made = made_by(name, moved);
  for (; (slash = strchr(component, '/')); component = slash + 1) {
    *slash = 0;
    bool known = go_on(plan, (unsigned)root, relative, component, &progress);
    bool in_hooks = known && may_be_gits(progress.name, component, MADE_DIRECTORY) && strcmp(component, "hooks") == 0;
    *slash = '/';
    if (!known) return REFUSED;
    /* A file in a protected directory. The mounts refuse it, except in a directory that this box created. */
    if (progress.effect >= EFFECT_READ_ONLY) return in_hooks && !strchr(slash + 1, '/') && made == MADE_FILE && is_sample(slash + 1) ? ALLOWED : refuse(progress.name, place->path);
  }
  if (!go_on(plan, (unsigned)root, relative, component, &progress)) return REFUSED;
  if (progress.effect >= 0 && !(may_be_gits(progress.name, component, made) && !(moved && progress.effect >= EFFECT_READ_ONLY && made == MADE_DIRECTORY))) return refuse(progress.name, place->path);
  if (progress.effect == EFFECT_PINNED && !moved && component != relative) note_repository(place);
  if (made != MADE_DIRECTORY || !moved) return ALLOWED;
  bool leaves = leaves_package(&name->old, progress.zone);
  if (progress.states.count == 0 && !leaves) return ALLOWED;
  struct step step = {plan, component, progress.zone, leaves ? STEP_ANYWHERE : STEP_FROM_ABOVE, NULL, NULL};
  int tree;
  if (open_target(&name->old, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, &tree) != FOUND) return REFUSED;
  return judge_tree(&step, tree, &progress.states, place);
}
