/* Copies a file or a tree. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "copy.h"
#include "copy_file.h"
#include "data.h"
#include "decode.h"
#include "links.h"
#include "open.h"
#include "protocol.h"
#include "walk.h"

static bool same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether a directory is `tree` or inside it, because copying a tree into itself would never end. Takes over the
 * descriptor. */
static bool lies_in(int fd, const struct stat *tree) {
  struct stat st, above;
  bool found = false;
  while (!fstat(fd, &st) && !(found = same(&st, tree))) {
    int parent = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    close(fd);
    fd = parent;
    if (fd < 0 || fstat(fd, &above) || same(&st, &above)) break;
  }
  if (fd >= 0) close(fd);
  return found;
}

static bool is_inside(const char *to, const struct stat *tree) {
  const char *name;
  int parent = open_parent(to, &name, false);
  if (parent == AT_FDCWD) parent = openat(AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return parent >= 0 && lies_in(parent, tree);
}

/* The directory for the copy of another, and whether it is new. Its mode is set last, because it may forbid writing. */
static int make_target(const struct copying *how, int directory, const char *name, bool *made) {
  *made = !mkdirat(directory, name, 0700);
  if (!*made && errno != EEXIST) return -1;
  return open_directory_at(directory, name, how->in_tree ? O_NOFOLLOW : 0);
}

static bool is_above(const struct walk *walk, const struct stat *st) {
  for (unsigned i = 0; i < walk->depth; i++)
    if (walk->levels[i].here.device == st->st_dev && walk->levels[i].here.inode == st->st_ino) return true;
  return false;
}

static const char *enter_directory(const struct copying *how, struct walk *walk, const char *name) {
  bool made, follow = how->symlink == SYMLINK_FOLLOW;
  struct stat st;
  int from = open_directory_at(walk_level(walk)->here.fd, name, follow ? 0 : O_NOFOLLOW);
  if (from < 0) return "scandir";
  if (!fstat(from, &st) && is_above(walk, &st)) {
    close(from);
    errno = ELOOP;
    return "scandir";
  }
  int to = make_target(how, walk_level(walk)->other.fd, name, &made), error = errno;
  if (to < 0) {
    close(from);
    errno = error;
    return "mkdir";
  }
  if (walk_enter(walk, from, to)) return "scandir";
  walk_level(walk)->made = made;
  return NULL;
}

static const char *copy_one(struct copying *how, struct walk *walk, const struct entry *entry) {
  const struct level *level = walk_level(walk);
  struct stat st;
  if (entry->type == DT_DIR) return enter_directory(how, walk, entry->name);
  if (fstatat(level->here.fd, entry->name, &st, how->symlink == SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW)) return "lstat";
  if (S_ISDIR(st.st_mode)) return enter_directory(how, walk, entry->name);
  struct site site = {level->here.fd, level->other.fd, entry->name, entry->name};
  return copy_entry(how, &site, &st, walk->path_length < WALK_PATH_CUT ? walk->path : NULL);
}

static const char *finish_directory(const struct copying *how, const struct level *level) {
  struct stat st;
  if (!level->made && how->preserve != PRESERVE_ALL) return NULL;
  if (fstat(level->here.fd, &st)) return "stat";
  struct timespec times[2] = {st.st_atim, st.st_mtim};
  if (how->preserve == PRESERVE_ALL && copy_attributes(level->here.fd, level->other.fd)) return "copyfile";
  if (set_mode(level->other.fd, st.st_mode)) return "chmod";
  return how->preserve == PRESERVE_ALL && futimens(level->other.fd, times) ? "utime" : NULL;
}

static const char *copy_entries(struct copying *how, struct walk *walk) {
  for (;;) {
    struct entry entry;
    int more = walk_next(walk, &entry);
    if (more < 0) return "scandir";
    const char *wrong = more ? copy_one(how, walk, &entry) : finish_directory(how, walk_level(walk));
    if (wrong) return wrong;
    if (more == 0 && walk->depth == 1) return NULL;
    if (more == 0 && walk_leave(walk)) return "scandir";
  }
}

/* A link that is the root of the target is followed, as `cp -r a/. link` does. */
static const char *begin_tree(struct copying *how, struct walk *walk, const char *from, const char *to) {
  bool made;
  int fd = open_directory_at(AT_FDCWD, from, how->symlink == SYMLINK_FOLLOW ? 0 : O_NOFOLLOW);
  if (fd < 0) return "scandir";
  int target = make_target(how, AT_FDCWD, to, &made), error = errno;
  if (target < 0) {
    close(fd);
    errno = error;
    return "mkdir";
  }
  how->in_tree = true;
  how->root = fcntl(target, F_DUPFD_CLOEXEC, 3);
  if (walk_begin(walk, fd, target)) return "scandir";
  walk_level(walk)->made = made;
  const struct place *here = &walk_level(walk)->here, *other = &walk_level(walk)->other;
  if (here->device == other->device && here->inode == other->inode) return errno = EINVAL, "copyfile";
  return NULL;
}

static bool copy_tree(struct copying *how, const char *from, const char *to) {
  struct walk walk = {0};
  const char *wrong = begin_tree(how, &walk, from, to);
  if (!wrong) wrong = copy_entries(how, &walk);
  int error = errno;
  walk_end(&walk);
  links_free(how->links);
  if (how->root >= 0) close(how->root);
  return wrong ? failed_in(error, wrong, from, &walk) : done_or(0, "copyfile");
}

bool op_copy(const struct operation *operation) {
  const char *from = operation->path[0], *to = operation->path[1];
  const uint64_t *number = operation->number;
  struct copying how = {.existing = (unsigned)number[1], .preserve = (unsigned)number[2], .symlink = (unsigned)number[3], .root = -1};
  struct stat st;
  if (fstatat(AT_FDCWD, from, &st, how.symlink == SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW)) return failed(errno, "copyfile");
  if (S_ISDIR(st.st_mode)) {
    if (number[0] == TREE_SINGLE) return failed(EISDIR, "copyfile");
    return is_inside(to, &st) ? failed(EINVAL, "copyfile") : copy_tree(&how, from, to);
  }
  struct site site = {AT_FDCWD, AT_FDCWD, from, to};
  const char *wrong = copy_entry(&how, &site, &st, NULL);
  return wrong ? failed(errno, wrong) : done_or(0, "copyfile");
}
