/* Builds the private root from the Plan's mount steps, with the new mount API: linear in the number of mounts. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

static void make_step(const struct builder *builder, struct mount_step *step);
static void pivot_into(int root);

void build_root(struct plan *plan, const struct list *hits) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("make mounts private", "/", errno);
  const char *options[] = {"mode", "0755", "size", "16m", NULL};
  struct builder builder = {.host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  builder.root = new_filesystem("tmpfs", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
  remember_own(builder.root);
  /* The scaffold goes below the private root and away with the host's root: one detached tree costs one RCU wait. */
  open_scaffold(&builder, plan->limit[L_PRIVATE_DISK]);
  if (attach_tree(builder.root, builder.host)) fail("attach the private root", "/", errno);
  for (size_t i = 0; i < plan->mounts.count; i++) make_step(&builder, &LIST_AT(plan->mounts, struct mount_step, i));
  protect_hits(&builder, plan, hits);
  if (plan->warm) keep_masks(&builder);
  close(builder.masks);
  close(builder.scaffold);
  struct k_mount_attr read_only = {.attr_set = K_MOUNT_ATTR_RDONLY};
  if (syscall(SYS_mount_setattr, builder.root, "", AT_EMPTY_PATH, &read_only, sizeof read_only)) fail("make the root read-only", "/", errno);
  close(builder.host);
  pivot_into(builder.root);
}

/* fd of a detached mount of a new file system, or -1 and errno. */
static int try_filesystem(const char *type, const char *const *options, uint64_t attributes) {
  int fs = (int)syscall(SYS_fsopen, type, 1 /* FSOPEN_CLOEXEC */);
  if (fs < 0) return -1;
  for (; *options; options += 2)
    if (syscall(SYS_fsconfig, fs, options[1][0] ? K_FSCONFIG_SET_STRING : K_FSCONFIG_SET_FLAG, options[0], options[1][0] ? options[1] : NULL, 0))
      return -1;
  if (syscall(SYS_fsconfig, fs, K_FSCONFIG_CMD_CREATE, NULL, NULL, 0)) return -1;
  int tree = (int)syscall(SYS_fsmount, fs, 1 /* FSMOUNT_CLOEXEC */, attributes);
  close(fs);
  return tree;
}

int new_filesystem(const char *type, const char *const *options, uint64_t attributes) {
  int tree = try_filesystem(type, options, attributes);
  if (tree < 0) fail("create file system", type, errno);
  return tree;
}

/* Mounts `tree` on the inode of `place`; no path is looked up. */
int attach_tree(int tree, int place) {
  return (int)syscall(SYS_move_mount, tree, "", place, "", K_MOVE_MOUNT_F_EMPTY_PATH | K_MOVE_MOUNT_T_EMPTY_PATH);
}

/* A detached recursive copy of the mount at `place`, with attributes added everywhere in it. */
int clone_tree(int place, uint64_t attributes) {
  int tree = (int)syscall(SYS_open_tree, place, "", AT_EMPTY_PATH | K_AT_RECURSIVE | K_OPEN_TREE_CLONE | O_CLOEXEC);
  if (tree < 0) return -1;
  struct k_mount_attr attr = {.attr_set = attributes};
  if (attributes && syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | K_AT_RECURSIVE, &attr, sizeof attr)) return -1;
  return tree;
}

static enum file_type type_of(mode_t mode) {
  return S_ISDIR(mode) ? T_DIRECTORY : S_ISREG(mode) ? T_FILE : T_OTHER;
}

/* The planned inode or a refusal: what was checked is what is mounted (attack: a root swapped for a symlink between runs). */
int open_source(int host, const struct mount_step *step) {
  int source = open_beneath(host, step->source, O_PATH | O_NOFOLLOW);
  if (source < 0) {
    if (step->flags & BIND_OPTIONAL && (errno == ENOENT || errno == EACCES)) return -1;
    fail(errno == ELOOP ? "source is a symlink" : "open source", step->source, errno);
  }
  struct stat st;
  if (fstat(source, &st)) fail("stat source", step->source, errno);
  if (st.st_dev != step->device || st.st_ino != step->inode || type_of(st.st_mode) != step->type) fail("source changed", step->source, ESTALE);
  return source;
}

void check_sources(const struct plan *plan) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    int source = step->kind == M_BIND ? open_source(host, step) : -1;
    if (source >= 0) close(source);
  }
  close(host);
}

static uint64_t bind_attributes(const struct mount_step *step) {
  return K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | (step->flags & BIND_WRITABLE ? 0 : K_MOUNT_ATTR_RDONLY);
}

static void place_tree(const struct builder *builder, int tree, const struct mount_step *step, enum file_type type) {
  int place = make_place(builder->root, step->target, type, 0755);
  if (place < 0) fail("make mount point", step->target, errno);
  if (attach_tree(tree, place)) fail("attach mount", step->target, errno);
  close(place);
  close(tree);
}

static void make_bind(const struct builder *builder, const struct mount_step *step) {
  int tree = step->fd;
  if (tree < 0) {
    int source = open_source(builder->host, step);
    if (source < 0) return;
    tree = clone_tree(source, bind_attributes(step));
    if (tree < 0) fail("clone mount", step->source, errno);
    close(source);
  }
  place_tree(builder, tree, step, step->type);
}

static int make_upper(const struct builder *builder, const char *kind, unsigned number) {
  char name[32];
  snprintf(name, sizeof name, "%s-%u", kind, number);
  if (mkdirat(builder->scaffold, name, 0755)) fail("make overlay layer", name, errno);
  int fd = openat(builder->scaffold, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("open overlay layer", name, errno);
  return fd;
}

/* A directory of a staged layer: the one that the supervisor made, and nothing that was put in its place. */
int open_layer(int host, const struct layer_directory *place) {
  int fd = open_beneath(host, place->path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  struct stat st;
  if (fd < 0 || fstat(fd, &st)) fail("open staged layer", place->path, errno);
  if (st.st_dev != place->device || st.st_ino != place->inode) fail("source changed", place->path, ESTALE);
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

int staged_overlay(const struct builder *builder, const struct mount_step *step) {
  int lower = open_source(builder->host, step), upper = open_layer(builder->host, &step->upper), work = open_layer(builder->host, &step->work);
  require_attributes(upper, step->upper.path);
  int tree = overlay_of(lower, upper, work);
  if (tree < 0) fail("stage directory", step->source, errno);
  close(lower);
  close(upper);
  close(work);
  return tree;
}

/* Upper and work lie in the box's private memory: what a package manager caches ends with the box. */
static int private_overlay(const struct builder *builder, const struct mount_step *step, unsigned number) {
  int lower = open_source(builder->host, step), upper = make_upper(builder, "upper", number), work = make_upper(builder, "work", number);
  int tree = overlay_of(lower, upper, work);
  if (tree < 0) fail("keep changes private", step->source, errno); /* EINVAL: a mount below it, which belongs to the host */
  close(lower);
  close(upper);
  close(work);
  return tree;
}

static void make_overlay(const struct builder *builder, const struct mount_step *step, unsigned number) {
  int tree = step->fd >= 0 ? step->fd : step->upper.path ? staged_overlay(builder, step) : private_overlay(builder, step, number);
  place_tree(builder, tree, step, T_DIRECTORY);
}

const struct layer_directory *staged_upper(const struct plan *plan, unsigned root) {
  const char *path = LIST_AT(plan->roots, const char *, root);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_OVERLAY && step->upper.path && strcmp(step->target, path) == 0) return &step->upper;
  }
  return NULL;
}

bool is_staged_root(const struct plan *plan, unsigned root) {
  return staged_upper(plan, root) != NULL;
}

static void make_tmpfs(const struct builder *builder, const struct mount_step *step) {
  char mode[16], size[32];
  snprintf(mode, sizeof mode, "%o", step->mode);
  snprintf(size, sizeof size, "%llu", (unsigned long long)step->size);
  const char *options[] = {"mode", mode, step->size ? "size" : NULL, size, NULL};
  int tree = new_filesystem("tmpfs", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
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

/* A file of the host is covered by one of the box's private memory. */
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

/* A file of the private root itself: the session's description, which leaves nothing on the host. */
static void make_file(const struct builder *builder, const struct mount_step *step) {
  char path[32];
  if (is_covered(builder, step->target)) return cover_file(builder, step);
  int place = make_place(builder->root, step->target, T_FILE, step->mode);
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  if (place < 0 || chmod(path, step->mode)) fail("make file", step->target, errno);
  write_bytes(path, (struct bytes){(const uint8_t *)step->source, step->size}, "write file");
  close(place);
}

/* The whole of procfs is read-only: uid 0 of a box could otherwise write /proc/sys without any capability. */
static void make_proc(const struct builder *builder, const struct mount_step *step) {
  const char *none[] = {NULL};
  const uint64_t attributes = K_MOUNT_ATTR_RDONLY | K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | K_MOUNT_ATTR_NOEXEC;
  place_tree(builder, new_filesystem("proc", none, attributes), step, T_DIRECTORY);
}

static void make_step(const struct builder *builder, struct mount_step *step) {
  static unsigned overlays;
  switch (step->kind) {
    case M_BIND: return make_bind(builder, step);
    case M_OVERLAY: return make_overlay(builder, step, overlays++);
    case M_TMPFS: return make_tmpfs(builder, step);
    case M_PROC: return make_proc(builder, step);
    case M_DEVICES: return make_devices(builder, step);
    case M_SYMLINK: return make_symlink(builder, step);
    case M_MASK: return mask_path(builder, step->target);
    case M_DIRECTORY: return make_directory(builder, step);
    case M_FILE: return make_file(builder, step);
  }
}

static void pivot_into(int root) {
  if (fchdir(root)) fail("enter the private root", "/", errno);
  if (syscall(SYS_pivot_root, ".", ".")) fail("pivot_root", "/", errno);
  if (umount2(".", MNT_DETACH)) fail("detach the host's root", "/", errno);
  if (chdir("/")) fail("enter the private root", "/", errno);
  close(root);
}

/* A user namespace in which no id of the file system has an owner, for idmapped mounts. Only its descriptor is needed. */
static int make_foreign_namespace(void) {
  int ready[2];
  if (pipe(ready)) fail("pipe", "", errno);
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child < 0) fail("user namespace", "idmap", errno);
  if (child == 0) {
    char byte;
    close(ready[1]);
    _exit(read(ready[0], &byte, 1) == 0 ? 0 : 1);
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/uid_map", child);
  write_file(path, "65534 65534 1", "idmap");
  snprintf(path, sizeof path, "/proc/%d/gid_map", child);
  write_file(path, "65534 65534 1", "idmap");
  snprintf(path, sizeof path, "/proc/%d/ns/user", child);
  int namespace = open(path, O_RDONLY | O_CLOEXEC);
  if (namespace < 0) fail("idmap", path, errno);
  /* The child would end when the pipe closes, but not if it is stopped. It is reaped with outer: nothing waits for it. */
  kill(child, SIGKILL);
  close(ready[0]);
  close(ready[1]);
  return namespace;
}

/* As root the box's uid 0 owns the system's private files. Seen through a mount without owners it reads what anyone may. */
void prepare_foreign_binds(struct plan *plan) {
  int namespace = -1, host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind != M_BIND || !(step->flags & BIND_FOREIGN)) continue;
    if (namespace < 0) namespace = make_foreign_namespace();
    int source = open_source(host, step);
    if (source < 0) continue;
    step->fd = clone_tree(source, bind_attributes(step));
    struct k_mount_attr attr = {.attr_set = K_MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)namespace};
    if (step->fd < 0 || syscall(SYS_mount_setattr, step->fd, "", AT_EMPTY_PATH | K_AT_RECURSIVE, &attr, sizeof attr))
      fail("idmapped mount", step->source, errno);
    close(source);
  }
  if (namespace >= 0) close(namespace);
  close(host);
}
