/* Builds the private root from the plan's mount steps, with the new mount API. Takes time linear in the number of
 * mounts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "root.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../plan/bytes.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "bind.h"
#include "builder.h"
#include "devices.h"
#include "masks.h"
#include "mount.h"
#include "overlay.h"
#include "protect.h"

static void make_step(const struct builder *builder, struct mount_step *step);
static void hide_kernel(const struct builder *builder);
static void pivot_into(int root);

void build_root(struct plan *plan, const struct list *hits) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("make mounts private", "/", errno);
  const char *options[] = {"mode", "0755", "size", "16m", NULL};
  struct builder builder = {.host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), .installed_only = plan->installed_only};
  builder.root = new_filesystem("tmpfs", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
  remember_own(builder.root);
  /* The scaffold is mounted on the host's root, below the private root. */
  open_scaffold(&builder, plan->limit[L_PRIVATE_DISK]);
  if (attach_tree(builder.root, builder.host)) fail("attach the private root", "/", errno);
  for (size_t i = 0; i < plan->mounts.count; i++) make_step(&builder, &LIST_AT(plan->mounts, struct mount_step, i));
  protect_hits(&builder, plan, hits);
  /* Another kernel mounts its own procfs, which is forbidden to a process whose own procfs has masks. It shows the
   * command its own facts. */
  if (!plan->nests) hide_kernel(&builder);
  keep_masks(&builder);
  close(builder.masks);
  close(builder.scaffold);
  struct k_mount_attr read_only = {.attr_set = K_MOUNT_ATTR_RDONLY};
  if (syscall(SYS_mount_setattr, builder.root, "", AT_EMPTY_PATH, &read_only, sizeof read_only)) fail("make the root read-only", "/", errno);
  close(builder.host);
  pivot_into(builder.root);
}

static bool is_written(const struct mount_step *step) {
  return step->kind == M_BIND ? step->flags & BIND_WRITABLE : step->kind == M_OVERLAY || step->kind == M_TMPFS;
}

static void place_tree(const struct builder *builder, int tree, const struct mount_step *step, enum file_type type) {
  if (builder->installed_only && is_written(step) && forbid_programs(tree)) fail("forbid programs", step->target, errno);
  int place = make_place(builder->root, step->target, type, 0755);
  if (place < 0) fail("make mount point", step->target, errno);
  if (attach_tree(tree, place)) fail("attach mount", step->target, errno);
  close(place);
  close(tree);
}

static void make_bind(const struct builder *builder, const struct mount_step *step) {
  int tree = step->fd >= 0 ? step->fd : bind_source(builder, step);
  if (tree >= 0 && step->flags & BIND_HELD) tree = held_overlay(builder, step, tree);
  if (tree >= 0) place_tree(builder, tree, step, step->type);
}

static void make_overlay(const struct builder *builder, const struct mount_step *step) {
  int tree = step->fd >= 0 ? step->fd : step->upper.path ? staged_overlay(builder, step) : private_overlay(builder, step);
  place_tree(builder, tree, step, T_DIRECTORY);
}

static void make_tmpfs(const struct builder *builder, const struct mount_step *step) {
  char mode[16];
  snprintf(mode, sizeof mode, "%o", step->mode);
  int tree = new_memory(mode, step->size);
  remember_own(tree);
  place_tree(builder, tree, step, T_DIRECTORY);
}

static void make_symlink(const struct builder *builder, const struct mount_step *step) {
  char parent[4096];
  size_t cut = (size_t)(strrchr(step->target, '/') - step->target);
  if (cut >= sizeof parent) fail("make symlink", step->target, ENAMETOOLONG);
  memcpy(parent, step->target, cut);
  strcpy(parent + cut, cut ? "" : "/");
  int directory = cut ? make_place(builder->root, parent, T_DIRECTORY, 0755) : dup(builder->root);
  if (directory < 0 || symlinkat(step->source, directory, step->target + cut + 1)) fail("make symlink", step->target, errno);
  close(directory);
}

static void make_directory(const struct builder *builder, const struct mount_step *step) {
  int place = make_place(builder->root, step->target, T_DIRECTORY, step->mode);
  if (place < 0) fail("make directory", step->target, errno);
  close(place);
}

/* Covers a file of the host with one in the box's private memory. */
static void cover_file(const struct builder *builder, const struct mount_step *step) {
  static unsigned covers;
  char name[32], path[32];
  snprintf(name, sizeof name, "cover-%u", covers++);
  int file = openat(builder->scaffold, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, step->mode);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file < 0 || fchmod(file, step->mode)) fail("cover file", step->target, errno);
  write_bytes(path, (struct bytes){(const uint8_t *)step->source, step->size}, "cover file");
  uint64_t execution = step->mode & 0111 ? 0 : K_MOUNT_ATTR_NOEXEC;
  int tree = clone_tree(file, K_MOUNT_ATTR_RDONLY | K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | execution);
  if (tree < 0) fail("cover file", step->target, errno);
  place_tree(builder, tree, step, T_FILE);
  close(file);
}

static bool is_covered(const struct builder *builder, const char *path) {
  int file = open_beneath(builder->root, path, O_PATH | O_NOFOLLOW);
  if (file >= 0) close(file);
  return file >= 0;
}

/* A file of the private root itself: the session's description. It leaves nothing on the host. */
static void make_file(const struct builder *builder, const struct mount_step *step) {
  char path[32];
  if (is_covered(builder, step->target)) return cover_file(builder, step);
  int place = make_place(builder->root, step->target, T_FILE, step->mode);
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  /* Nothing is created in a file system of the host: the file below a copy is gone. */
  if (place < 0 || chmod(path, step->mode)) fail(errno == ENOENT ? "source changed" : "make file", step->target, errno);
  write_bytes(path, (struct bytes){(const uint8_t *)step->source, step->size}, "write file");
  close(place);
}

/* The whole procfs is read-only, because otherwise uid 0 of a box could write /proc/sys without any capability. */
static void make_proc(const struct builder *builder, const struct mount_step *step) {
  const char *none[] = {NULL};
  const uint64_t attributes = K_MOUNT_ATTR_RDONLY | K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | K_MOUNT_ATTR_NOEXEC;
  place_tree(builder, new_filesystem("proc", none, attributes), step, T_DIRECTORY);
}

/* Files that no build reads, as in bubblewrap.ts: options and symbols of the kernel, and the names of the user's keys. */
static void hide_kernel(const struct builder *builder) {
  static const char *const facts[] = {"/proc/config.gz", "/proc/kallsyms", "/proc/keys"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) mask_path(builder, facts[i]);
}

static void make_step(const struct builder *builder, struct mount_step *step) {
  switch (step->kind) {
    case M_BIND: return make_bind(builder, step);
    case M_OVERLAY: return make_overlay(builder, step);
    case M_TMPFS: return make_tmpfs(builder, step);
    case M_PROC: return make_proc(builder, step);
    case M_DEVICES: return make_devices(builder, step);
    case M_SYMLINK: return make_symlink(builder, step);
    case M_MASK: return mask_path(builder, step->target);
    case M_DIRECTORY: return make_directory(builder, step);
    case M_FILE: return make_file(builder, step);
  }
}

/* `..` of the root enters a mount that covers it. */
static bool is_uppermost(void) {
  struct stat root, above;
  if (stat("/", &root) || stat("/..", &above)) fail("look above the root", "/..", errno);
  return root.st_dev == above.st_dev && root.st_ino == above.st_ino;
}

/* Moves the host's root over the private one, with everything that was mounted over it: at least the scaffold. */
static void pivot_into(int root) {
  if (fchdir(root)) fail("enter the private root", "/", errno);
  if (syscall(SYS_pivot_root, ".", ".")) fail("pivot_root", "/", errno);
  while (!is_uppermost())
    if (umount2(".", MNT_DETACH)) fail("detach the host's root", "/", errno);
  if (chdir("/")) fail("enter the private root", "/", errno);
  close(root);
}
