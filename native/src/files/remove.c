/* Removes names and trees. An entry that cannot be removed ends the operation, and the rest stays. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "remove.h"
#include "decode.h"
#include "protocol.h"
#include "walk.h"

/* An unreadable directory is removed anyway if it is empty. */
static const char *enter_directory(struct walk *walk, const char *name) {
  int above = walk_level(walk)->here.fd, fd = open_directory_at(above, name, O_NOFOLLOW);
  if (fd >= 0) return walk_enter(walk, fd, WALK_NO_OTHER) ? "scandir" : NULL;
  int error = errno;
  if (error == ENOENT || !unlinkat(above, name, AT_REMOVEDIR)) return NULL;
  errno = error;
  return "scandir";
}

static const char *remove_entry(struct walk *walk, const struct entry *entry) {
  if (entry->type == DT_DIR) return enter_directory(walk, entry->name);
  if (!unlinkat(walk_level(walk)->here.fd, entry->name, 0) || errno == ENOENT) return NULL;
  return errno == EISDIR ? enter_directory(walk, entry->name) : "unlink";
}

static const char *leave_directory(struct walk *walk) {
  char name[256];
  strcpy(name, walk_level(walk)->name);
  if (walk_leave(walk)) return "scandir";
  return unlinkat(walk_level(walk)->here.fd, name, AT_REMOVEDIR) && errno != ENOENT ? "rmdir" : NULL;
}

/* NULL, or the call that failed, with errno. */
static const char *empty_directory(struct walk *walk) {
  for (;;) {
    struct entry entry;
    int more = walk_next(walk, &entry);
    if (more < 0) return "scandir";
    if (more == 0 && walk->depth == 1) return NULL;
    const char *wrong = more ? remove_entry(walk, &entry) : leave_directory(walk);
    if (wrong) return wrong;
  }
}

static bool remove_tree(const char *path) {
  struct walk walk;
  int fd = open_directory_at(AT_FDCWD, path, O_NOFOLLOW), error = errno;
  if (fd < 0 && !unlinkat(AT_FDCWD, path, AT_REMOVEDIR)) return done_or(0, "rmdir");
  if (fd < 0) return failed(error, "scandir");
  if (walk_begin(&walk, fd, WALK_NO_OTHER)) return failed(errno, "scandir");
  walk.entries_vanish = true;
  const char *wrong = empty_directory(&walk);
  error = errno;
  walk_end(&walk);
  return wrong ? failed_in(error, wrong, path, &walk) : done_or(unlinkat(AT_FDCWD, path, AT_REMOVEDIR), "rmdir");
}

bool op_remove(const struct operation *operation) {
  const char *path = operation->path[0];
  bool whole = operation->number[0] == TREE_WHOLE, ignore = operation->number[1];
  if (!unlinkat(AT_FDCWD, path, 0)) return done_or(0, "unlink");
  int error = errno;
  struct stat st;
  if (error == ENOENT && ignore) return done_or(0, "unlink");
  if (error == EISDIR) return whole ? remove_tree(path) : done_or(unlinkat(AT_FDCWD, path, AT_REMOVEDIR), "rmdir");
  /* Node's `rm` checks this first, and reports it. */
  if (whole && fstatat(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW)) return errno == ENOENT && ignore ? done_or(0, "lstat") : failed(errno, "lstat");
  return failed(error, "unlink");
}
