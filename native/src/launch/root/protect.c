/* Protected and hidden names inside writable roots: read-only or masking mounts, and pins on the directories above. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "protect.h"
#include "../../kernel.h"
#include "../../statx.h"
#include "../paths/path.h"
#include "../plan/hit.h"
#include "../report/fail.h"
#include "masks.h"
#include "mount.h"

#define LONGEST_PATH 8300

static bool is_mount_point(int place) {
  struct k_statx st;
  return syscall(SYS_statx, place, "", AT_EMPTY_PATH, 0, &st) == 0 && st.attributes & K_STATX_MOUNT_POINT;
}

static bool is_read_only(int place) {
  struct statvfs mounted;
  return fstatvfs(place, &mounted) == 0 && mounted.f_flag & ST_RDONLY;
}

/* A mount disappears when a program outside removes or replaces the file below it (attack: a new file or directory with
 * the same name, or one to which a link leads). The box is not notified, so the launcher checks again. */
static bool is_held(int place, enum effect effect) {
  struct stat st;
  if (!is_mount_point(place) || fstat(place, &st)) return false;
  if (effect == EFFECT_PINNED && S_ISDIR(st.st_mode)) return true;
  return is_read_only(place) && (effect != EFFECT_HIDDEN || (st.st_mode & 07777) == 0);
}

/* Mounts a directory onto itself. A mount point cannot be renamed or removed, so no directory above a protected path
 * can be moved away and replaced with an unprotected one. Returns false if the directory is gone. */
static bool pin(int root, const char *path) {
  for (int tries = 0; tries < MOST_TRIES; tries++) {
    int place = open_beneath(root, path, O_PATH | O_DIRECTORY);
    if (place < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) return false;
    if (place < 0) fail("open parent of protected path", path, errno);
    bool pinned = is_mount_point(place) || mount_over(place, path, clone_tree(place, 0));
    close(place);
    if (pinned) return true;
  }
  fail("open parent of protected path", path, ESTALE);
}

static bool is_pinned(const struct list *pins, const char *path) {
  for (size_t i = 0; i < pins->count; i++)
    if (strcmp(LIST_AT(*pins, char *, i), path) == 0) return true;
  return false;
}

static bool pin_parents(int root, const char *path, size_t root_length, struct list *pins) {
  char *prefix = strdup(path);
  bool present = prefix != NULL;
  for (char *slash = prefix ? strchr(prefix + root_length + 1, '/') : NULL; present && slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (!is_pinned(pins, prefix)) {
      present = pin(root, prefix);
      *(char **)list_push(pins, sizeof(char *)) = strdup(prefix);
    }
    *slash = '/';
  }
  free(prefix);
  return present;
}

enum applied { HELD_BEFORE, APPLIED, GONE };

static enum applied apply_effect(const struct builder *builder, int place, const char *path, enum effect effect) {
  struct stat st;
  if (is_held(place, effect)) return HELD_BEFORE;
  if (effect == EFFECT_HIDDEN) return mask_fd(builder, place, path) ? APPLIED : GONE;
  if (fstat(place, &st)) fail("stat protected path", path, errno);
  bool writable = effect == EFFECT_PINNED && S_ISDIR(st.st_mode);
  /* Below a protected directory nobody could write before either. The file system itself may become writable, so it is
   * mounted anyway. */
  bool was_held = !writable && is_read_only(place);
  if (!mount_over(place, path, clone_tree(place, writable ? 0 : K_MOUNT_ATTR_RDONLY))) return GONE;
  return was_held ? HELD_BEFORE : APPLIED;
}

/* A protected name that is a symlink cannot be mounted over. Its target inside the box is protected instead, and the
 * sweep notices if the link itself was replaced. */
static enum applied protect_target(const struct builder *builder, const char *path, enum effect effect) {
  int place = open_following(builder->root, path, O_PATH);
  if (place < 0) return HELD_BEFORE;
  struct stat st;
  bool fits = fstat(place, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
  enum applied applied = fits ? apply_effect(builder, place, path, effect) : HELD_BEFORE;
  close(place);
  return applied;
}

static bool is_symlink(int place) {
  struct stat st;
  return fstat(place, &st) == 0 && S_ISLNK(st.st_mode);
}

static enum applied try_protection(const struct builder *builder, const struct hit *hit, const char *path) {
  if (hit->symlink) return protect_target(builder, path, hit->effect);
  int place = open_beneath(builder->root, path, O_PATH | O_NOFOLLOW);
  if (place < 0 && errno == ELOOP) return protect_target(builder, path, hit->effect);
  if (place < 0 && (errno == ENOENT || errno == ENOTDIR)) return HELD_BEFORE;
  if (place < 0) fail("open protected path", path, errno);
  enum applied applied = is_symlink(place) ? protect_target(builder, path, hit->effect) : apply_effect(builder, place, path, hit->effect);
  close(place);
  return applied;
}

/* True if it was not protected before. If a file is replaced between two steps, it is gone. The next attempt finds the
 * new one. */
static bool hold(const struct builder *builder, const struct hit *hit, const char *path) {
  for (int tries = 0; tries < MOST_TRIES; tries++) {
    enum applied applied = try_protection(builder, hit, path);
    if (applied != GONE) return applied == APPLIED;
  }
  fail("protect path", path, ESTALE);
}

static size_t name_hit(const struct plan *plan, const struct hit *hit, char path[LONGEST_PATH]) {
  const char *root_path = LIST_AT(plan->roots, const char *, hit->root);
  size_t length = root_path[1] ? strlen(root_path) : 0;
  if (snprintf(path, LONGEST_PATH, "%s/%s", length ? root_path : "", hit->path) >= LONGEST_PATH) fail("protect path", hit->path, ENAMETOOLONG);
  return length;
}

/* Nothing above it can be moved if nothing can be written. */
static bool is_unpinned(const struct plan *plan, const struct hit *hit) {
  return hit->unpinned || is_shown_root(plan, hit->root);
}

static void protect_hit(const struct builder *builder, const struct plan *plan, const struct hit *hit, struct list *pins) {
  char path[LONGEST_PATH];
  size_t root_length = name_hit(plan, hit, path);
  if (!is_unpinned(plan, hit) && !pin_parents(builder->root, path, root_length, pins)) return;
  if (!hit->symlink && hit->effect == EFFECT_PINNED && is_pinned(pins, path)) return;
  hold(builder, hit, path);
  if (!hit->symlink && hit->effect == EFFECT_PINNED) *(char **)list_push(pins, sizeof(char *)) = strdup(path);
}

static void free_pins(struct list *pins) {
  for (size_t i = 0; i < pins->count; i++) free(LIST_AT(*pins, char *, i));
  free(pins->items);
}

void protect_hits(const struct builder *builder, const struct plan *plan, const struct list *hits) {
  struct list pins = {0};
  for (size_t i = 0; i < hits->count; i++) protect_hit(builder, plan, &LIST_AT(*hits, struct hit, i), &pins);
  free_pins(&pins);
}

bool pin_again(const struct builder *builder, const struct plan *plan, const struct hit *hit) {
  char path[LONGEST_PATH];
  size_t root_length = name_hit(plan, hit, path);
  struct list pins = {0};
  bool pinned = !is_unpinned(plan, hit) && pin_parents(builder->root, path, root_length, &pins);
  free_pins(&pins);
  return pinned;
}

/* Programs of a running box may already be in a new directory, below any pin, so the names that they can reach are
 * protected first. A pin then includes these mounts. */
bool protect_again(const struct builder *builder, const struct plan *plan, const struct hit *hit) {
  char path[LONGEST_PATH];
  name_hit(plan, hit, path);
  bool was_bare = hold(builder, hit, path);
  if (pin_again(builder, plan, hit)) was_bare |= hold(builder, hit, path);
  return was_bare;
}

bool mask_bare(const struct builder *builder, const char *path) {
  int place = open_following(builder->root, path, O_PATH);
  if (place < 0 && errno == EACCES) fail("open hidden path", path, errno);
  if (place < 0) return false;
  bool bare = !is_mount_point(place);
  if (bare && !mask_fd(builder, place, path)) bare = mask_bare(builder, path);
  close(place);
  return bare;
}
