/* Overlays over directories of the host. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "overlay.h"
#include "../../kernel.h"
#include "../paths/source.h"
#include "../report/fail.h"
#include "mount.h"

static int make_upper(const struct builder *builder, const char *kind, unsigned number) {
  char name[32];
  snprintf(name, sizeof name, "%s-%u", kind, number);
  if (mkdirat(builder->scaffold, name, 0755)) fail("make overlay layer", name, errno);
  int fd = openat(builder->scaffold, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("open overlay layer", name, errno);
  return fd;
}

/* Without user attributes overlayfs mounts, but forgets which directories were emptied. */
static void require_attributes(int upper, const char *path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", upper);
  if (setxattr(link, "user.overlay.probe", "", 0, 0) || removexattr(link, "user.overlay.probe")) fail("staged layer without attributes", path, errno);
}

static int overlay_of(int lower, int upper, int work) {
  char lower_path[32], upper_path[32], work_path[32];
  snprintf(lower_path, sizeof lower_path, "/proc/self/fd/%d", lower);
  snprintf(upper_path, sizeof upper_path, "/proc/self/fd/%d", upper);
  snprintf(work_path, sizeof work_path, "/proc/self/fd/%d", work);
  const char *options[] = {"lowerdir", lower_path, "upperdir", upper_path, "workdir", work_path, "userxattr", "", NULL};
  return try_filesystem("overlay", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
}

/* The kernel accepts directories of mounts that are attached in this namespace. Mounts on the scaffold disappear with
 * it. */
static void attach_aside(const struct builder *builder, int tree, const char *path) {
  static unsigned number;
  char name[32];
  snprintf(name, sizeof name, "tree-%u", number++);
  if (mkdirat(builder->scaffold, name, 0700)) fail("make mount point", name, errno);
  int place = openat(builder->scaffold, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0 || attach_tree(tree, place)) fail("attach mount", path, errno);
  close(place);
}

static int overlay_of_trees(const struct builder *builder, const struct mount_step *step) {
  const struct layer_trees *trees = &step->trees;
  attach_aside(builder, trees->lower, step->source);
  attach_aside(builder, trees->layer, step->upper.path);
  require_attributes(trees->upper, step->upper.path);
  int tree = overlay_of(trees->lower, trees->upper, trees->work);
  if (tree < 0) fail("stage directory", step->source, errno);
  return tree;
}

int staged_overlay(const struct builder *builder, const struct mount_step *step) {
  if (step->trees.lower >= 0) return overlay_of_trees(builder, step);
  int lower = open_source(builder->host, step), upper = open_layer(builder->host, &step->upper), work = open_layer(builder->host, &step->work);
  require_attributes(upper, step->upper.path);
  int tree = overlay_of(lower, upper, work);
  if (tree < 0) fail("stage directory", step->source, errno);
  close(lower);
  close(upper);
  close(work);
  return tree;
}

/* Upper and work are in the box's private memory, so the changes to a package manager's cache disappear with the box. */
int private_overlay(const struct builder *builder, const struct mount_step *step) {
  static unsigned number;
  int lower = open_source(builder->host, step), upper = make_upper(builder, "upper", number), work = make_upper(builder, "work", number++);
  int tree = overlay_of(lower, upper, work);
  if (tree < 0) fail("keep changes private", step->source, errno); /* EINVAL: a mount below it, which belongs to the host */
  close(lower);
  close(upper);
  close(work);
  return tree;
}

/* If the host's name below a mount is removed, the kernel removes the mount before any process notices. An overlay has
 * its own names, which no program outside can replace. Without an upper directory, it needs two lower ones (attack:
 * strict-replaced). */
int held_overlay(const struct builder *builder, const struct mount_step *step, int tree) {
  static unsigned number;
  char lower[64];
  int empty = make_upper(builder, "held", number++);
  attach_aside(builder, tree, step->source);
  snprintf(lower, sizeof lower, "/proc/self/fd/%d:/proc/self/fd/%d", tree, empty);
  const char *options[] = {"lowerdir", lower, "userxattr", "", NULL};
  int held = try_filesystem("overlay", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | K_MOUNT_ATTR_RDONLY);
  if (held < 0) fail("hold names", step->source, errno); /* EINVAL: a mount below it, which belongs to the host */
  close(empty);
  close(tree);
  return held;
}
