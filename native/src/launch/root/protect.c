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

static bool is_mount_point(int place) {
  struct k_statx st;
  return syscall(SYS_statx, place, "", AT_EMPTY_PATH, 0, &st) == 0 && st.attributes & K_STATX_MOUNT_POINT;
}

/* A mount goes when someone outside removes or replaces what it is on (attack on a box that was built ahead: a new file or directory of
 * the same name, or one to which a link leads), and nobody here is told: so what holds is what is seen to. */
static bool is_held(const struct builder *builder, int place, enum effect effect) {
  struct stat st, mask;
  struct statvfs mounted;
  if (!is_mount_point(place) || fstat(place, &st)) return false;
  if (effect == EFFECT_HIDDEN) return fstat(builder->masks, &mask) == 0 && st.st_dev == mask.st_dev && (st.st_mode & 07777) == 0;
  return (effect == EFFECT_PINNED && S_ISDIR(st.st_mode)) || (fstatvfs(place, &mounted) == 0 && mounted.f_flag & ST_RDONLY);
}

/* Mounts a directory onto itself. A mount point cannot be renamed or removed, so nothing above a protected path can be
 * moved away to make room for a fresh, unprotected one. Returns false when the directory is gone. */
static bool pin(int root, const char *path) {
  int place = open_beneath(root, path, O_PATH | O_DIRECTORY);
  if (place < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) return false;
  if (place < 0) fail("open parent of protected path", path, errno);
  if (!is_mount_point(place)) mount_over(place, path, clone_tree(place, 0));
  close(place);
  return true;
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

static void apply_effect(const struct builder *builder, int place, const char *path, enum effect effect) {
  struct stat st;
  if (is_held(builder, place, effect)) return;
  if (effect == EFFECT_HIDDEN) return mask_fd(builder, place, path);
  if (fstat(place, &st)) fail("stat protected path", path, errno);
  bool writable = effect == EFFECT_PINNED && S_ISDIR(st.st_mode);
  mount_over(place, path, clone_tree(place, writable ? 0 : K_MOUNT_ATTR_RDONLY));
}

/* A protected name that is a symlink cannot be mounted over; what it points to inside the box is protected instead, and
 * the sweep notices when the link itself was replaced. */
static void protect_target(const struct builder *builder, const char *path, enum effect effect) {
  int place = open_following(builder->root, path, O_PATH);
  if (place < 0) return;
  struct stat st;
  if (fstat(place, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) apply_effect(builder, place, path, effect);
  close(place);
}

static void protect_hit(const struct builder *builder, const struct plan *plan, const struct hit *hit, struct list *pins) {
  char path[8300];
  const char *root_path = LIST_AT(plan->roots, const char *, hit->root);
  bool at_root = root_path[1] == 0;
  if (snprintf(path, sizeof path, "%s/%s", at_root ? "" : root_path, hit->path) >= (int)sizeof path) fail("protect path", hit->path, ENAMETOOLONG);
  /* Nothing above it can be moved where nothing can be written. */
  if (!is_shown_root(plan, hit->root) && !hit->unpinned && !pin_parents(builder->root, path, at_root ? 0 : strlen(root_path), pins)) return;
  if (hit->symlink) return protect_target(builder, path, hit->effect);
  if (hit->effect == EFFECT_PINNED && is_pinned(pins, path)) return;
  int place = open_beneath(builder->root, path, O_PATH | O_NOFOLLOW);
  if (place < 0 && errno == ENOENT) return;
  if (place < 0) fail("open protected path", path, errno);
  apply_effect(builder, place, path, hit->effect);
  if (hit->effect == EFFECT_PINNED) *(char **)list_push(pins, sizeof(char *)) = strdup(path);
  close(place);
}

void protect_hits(const struct builder *builder, const struct plan *plan, const struct list *hits) {
  struct list pins = {0};
  for (size_t i = 0; i < hits->count; i++) {
    const struct hit *hit = &LIST_AT(*hits, struct hit, i);
    protect_hit(builder, plan, hit, &pins);
  }
  for (size_t i = 0; i < pins.count; i++) free(LIST_AT(pins, char *, i));
  free(pins.items);
}
