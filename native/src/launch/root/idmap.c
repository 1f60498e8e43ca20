/* Trees of the host whose owners look different in the box. They are prepared outside the box, because only root of the
 * host may do this. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "idmap.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../paths/source.h"
#include "../report/fail.h"
#include "bind.h"
#include "mount.h"

/* Users and groups of a user namespace, in the form that the kernel reads. */
struct maps {
  char uids[128], gids[128];
};

static bool write_map(pid_t child, const char *file, const char *text) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", child, file);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  int error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return written;
}

/* For idmapped mounts, only its descriptor is needed. -1 and errno if it cannot have these maps. */
static int make_namespace(const struct maps *maps) {
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
  snprintf(path, sizeof path, "/proc/%d/ns/user", child);
  bool mapped = write_map(child, "uid_map", maps->uids) && write_map(child, "gid_map", maps->gids);
  int namespace = mapped ? open(path, O_RDONLY | O_CLOEXEC) : -1, error = errno;
  /* The child would end when the pipe closes, but not if it is stopped. It is reaped with outer, and is not waited for. */
  kill(child, SIGKILL);
  close(ready[0]);
  close(ready[1]);
  errno = error;
  return namespace;
}

static bool show_through(int tree, int namespace, unsigned flags) {
  struct k_mount_attr attr = {.attr_set = K_MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)namespace};
  return tree >= 0 && syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | flags, &attr, sizeof attr) == 0;
}

/* As root, the box's uid 0 owns the system's private files. Through a mount without owners, it can read only files that
 * everyone may read. */
static void hide_owners(struct mount_step *step, int source, int *namespace) {
  if (*namespace < 0 && (*namespace = make_namespace(&(struct maps){"65534 65534 1", "65534 65534 1"})) < 0) fail("idmap", step->source, errno);
  step->fd = clone_tree(source, bind_attributes(step));
  if (!show_through(step->fd, *namespace, K_AT_RECURSIVE)) fail("idmapped mount", step->source, errno);
}

/* Exchanges root with one other user, and maps all others to themselves. If a container has no room for all of them,
 * only these two are mapped. */
static void exchange(char map[128], uint32_t id, bool everyone) {
  int length = snprintf(map, 128, id ? "%u 0 1\n0 %u 1\n" : "0 0 1\n", id, id);
  if (everyone && id > 1) length += snprintf(map + length, 128 - (size_t)length, "1 1 %u\n", id - 1);
  if (everyone && id < UINT32_MAX - 1) snprintf(map + length, 128 - (size_t)length, "%u %u %u\n", id + 1, id + 1, UINT32_MAX - 1 - id);
}

static int exchanging_namespace(const struct stat *owner) {
  static const bool ways[] = {true, false};
  int namespace = -1;
  for (unsigned i = 0; i < 2 && namespace < 0; i++) {
    struct maps maps;
    exchange(maps.uids, owner->st_uid, ways[i]);
    exchange(maps.gids, owner->st_gid, ways[i]);
    namespace = make_namespace(&maps);
  }
  return namespace;
}

static int exchanged_tree(int place, const struct stat *owner, uint64_t attributes, const char *path) {
  int namespace = exchanging_namespace(owner), tree = clone_tree(place, attributes);
  /* A file system mounted below may not support such mounts. It stays unchanged. */
  if (namespace < 0 || (!show_through(tree, namespace, K_AT_RECURSIVE) && !show_through(tree, namespace, 0))) fail("idmapped workspace", path, errno);
  close(namespace);
  return tree;
}

/* The owner of the workspace in which names are withheld, or 0 if no other user owns it. */
static uid_t workspace_owner(const struct plan *plan, int host) {
  struct stat st;
  if (plan->withholding.count == 0) return 0;
  const char *path = LIST_AT(plan->withholding, const char *, 0);
  int workspace = open_beneath(host, path, O_PATH | O_DIRECTORY);
  if (workspace < 0 || fstat(workspace, &st)) fail("open root", path, errno);
  close(workspace);
  return st.st_uid;
}

/* Only files of the workspace's owner (attack: a workspace whose `.git` leads into the repository of a third user). */
static bool is_exchanged(int source, uid_t owner, struct stat *st, const char *path) {
  if (owner == 0) return false;
  if (fstat(source, st)) fail("stat source", path, errno);
  return st->st_uid == owner;
}

/* For a workspace of another user: in it, the box's uid 0 is the owner, and new files belong to the owner. This applies
 * only to this tree, and root's own files in it belong to another user. */
static void show_owner_as_root(struct mount_step *step, int source, uid_t owner) {
  struct stat st;
  if (is_exchanged(source, owner, &st, step->source)) step->fd = exchanged_tree(source, &st, bind_attributes(step), step->source);
}

static int open_in(int directory, const struct layer_directory *place) {
  struct stat st;
  int fd = openat(directory, strrchr(place->path, '/') + 1, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st)) fail("open staged layer", place->path, errno);
  if (st.st_dev != place->device || st.st_ino != place->inode) fail("source changed", place->path, ESTALE);
  return fd;
}

/* Both directories of a layer are in one mount, as overlayfs requires. They are opened here, because the directories
 * around them belong to root and are closed to the box's root, which is a different user in them. */
static void show_layer_as_root(int host, struct mount_step *step, uid_t owner) {
  const uint64_t attributes = K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV;
  char around[4096];
  struct stat st;
  int source = open_source(host, step);
  if (is_exchanged(source, owner, &st, step->source)) {
    snprintf(around, sizeof around, "%.*s", (int)(strrchr(step->upper.path, '/') - step->upper.path), step->upper.path);
    int place = open_beneath(host, around, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    if (place < 0) fail("open staged layer", around, errno);
    step->trees.lower = exchanged_tree(source, &st, attributes | K_MOUNT_ATTR_RDONLY, step->source);
    step->trees.layer = exchanged_tree(place, &st, attributes, around);
    step->trees.upper = open_in(step->trees.layer, &step->upper);
    step->trees.work = open_in(step->trees.layer, &step->work);
    close(place);
  }
  close(source);
}

struct owners {
  uid_t workspace;
  int nobody; /* a namespace in which no id of the file system has an owner, or -1 before it exists */
};

static void prepare_bind(int host, struct mount_step *step, struct owners *owners) {
  int source = open_source(host, step);
  if (source < 0) return;
  if (step->flags & BIND_FOREIGN) hide_owners(step, source, &owners->nobody);
  else show_owner_as_root(step, source, owners->workspace);
  close(source);
}

void prepare_idmapped_layers(struct plan *plan) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  uid_t owner = workspace_owner(plan, host);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_OVERLAY && step->upper.path && step->flags & BIND_AS_ROOT) show_layer_as_root(host, step, owner);
  }
  close(host);
}

void prepare_idmapped_binds(struct plan *plan) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  struct owners owners = {workspace_owner(plan, host), -1};
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_BIND && step->flags & (BIND_FOREIGN | BIND_AS_ROOT)) prepare_bind(host, step, &owners);
  }
  if (owners.nobody >= 0) close(owners.nobody);
  close(host);
}
