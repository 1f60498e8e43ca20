/* The directories of one watch. inotify reports on one directory only, so each directory below has its own inotify
 * watch. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include "watch_tree.h"
#include "protocol.h"
#include "walk.h"
#include "watch_event.h"

#define DIRECTORY_EVENTS (IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

static size_t place_of(const struct watch *watch, int wd) {
  size_t low = 0, high = watch->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (watch->dirs[middle].wd < wd) low = middle + 1;
    else high = middle;
  }
  return low;
}

static struct watched *find(const struct watch *watch, int wd) {
  size_t at = place_of(watch, wd);
  return at < watch->count && watch->dirs[at].wd == wd ? &watch->dirs[at] : NULL;
}

const char *watch_path(const struct watch *watch, int wd) {
  const struct watched *watched = find(watch, wd);
  return watched ? watched->path : NULL;
}

static int remember(struct watch *watch, int wd, const char *relative) {
  char *path = strdup(relative);
  struct watched *known = find(watch, wd);
  if (!path || (!known && watch->count == MAX_WATCHED)) return free(path), errno = path ? ENOSPC : ENOMEM, -1;
  if (known) return free(known->path), known->path = path, 0;
  if (watch->count == watch->room) {
    size_t room = watch->room ? watch->room * 2 : 16;
    struct watched *dirs = realloc(watch->dirs, room * sizeof *dirs);
    if (!dirs) return free(path), errno = ENOMEM, -1;
    watch->dirs = dirs;
    watch->room = room;
  }
  size_t at = place_of(watch, wd);
  memmove(watch->dirs + at + 1, watch->dirs + at, (watch->count - at) * sizeof *watch->dirs);
  watch->dirs[at] = (struct watched){wd, path};
  watch->count++;
  return 0;
}

void watch_forget(struct watch *watch, int wd) {
  struct watched *known = find(watch, wd);
  if (!known) return;
  free(known->path);
  memmove(known, known + 1, (size_t)(watch->dirs + --watch->count - known) * sizeof *known);
}

static int join(char *to, const char *above, const char *below) {
  int length = snprintf(to, PATH_ROOM, *below ? "%s/%s" : "%s", above, below);
  if (length < PATH_ROOM) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int watch_add(struct watch *watch, const char *relative) {
  char path[PATH_ROOM];
  if (join(path, watch->path, relative)) return -1;
  int wd = inotify_add_watch(watch->fd, path, *relative ? DIRECTORY_EVENTS | IN_ONLYDIR | IN_DONT_FOLLOW : DIRECTORY_EVENTS);
  if (wd >= 0) {
    if (!*relative) watch->root = wd;
    return remember(watch, wd, relative);
  }
  return *relative && (errno == ENOENT || errno == ENOTDIR || errno == EACCES) ? 0 : -1;
}

/* Called after the watch was added. Earlier entries are found by this search, and later ones are reported. Some are
 * both. */
static int watch_entry(struct watch *watch, struct walk *walk, const struct entry *entry, const char *relative) {
  char path[PATH_ROOM];
  if (walk->path_length >= WALK_PATH_CUT || join(path, relative, walk->path)) return errno = ENAMETOOLONG, -1;
  const char *whole = *relative ? path : walk->path;
  struct stat st;
  bool directory = entry->type == DT_DIR;
  if (entry->type == DT_UNKNOWN) directory = !fstatat(walk_level(walk)->here.fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
  if (!directory) return 0;
  if (watch_add(watch, whole)) return -1;
  int fd = open_directory_at(walk_level(walk)->here.fd, entry->name, O_NOFOLLOW);
  return fd < 0 ? 0 : walk_enter(walk, fd, WALK_NO_OTHER);
}

static int watch_entries(struct watch *watch, struct walk *walk, const char *relative, enum announce announce) {
  for (;;) {
    struct entry entry;
    int more = walk_next(walk, &entry);
    if (more < 0 && errno == ECANCELED) return -1;
    if (more <= 0) {
      if (walk->depth == 1) return 0;
      if (walk_leave(walk)) return -1;
      continue;
    }
    char path[PATH_ROOM];
    if (announce == ANNOUNCE_CREATED && !join(path, relative, walk->path)) watch_event(watch->number, EVENT_CREATED, "", *relative ? path : walk->path);
    if (watch_entry(watch, walk, &entry, relative)) return -1;
  }
}

int watch_below(struct watch *watch, const char *relative, enum announce announce) {
  char path[PATH_ROOM];
  if (join(path, watch->path, relative)) return -1;
  struct walk walk;
  int fd = open_directory_at(AT_FDCWD, path, *relative ? O_NOFOLLOW : 0);
  if (fd < 0) return 0; /* a file, or removed again */
  if (walk_begin(&walk, fd, WALK_NO_OTHER)) return -1;
  int result = watch_entries(watch, &walk, relative, announce), error = errno;
  walk_end(&walk);
  errno = error;
  return result;
}

static bool is_below(const char *path, const char *above) {
  size_t length = strlen(above);
  return !strncmp(path, above, length) && (!path[length] || path[length] == '/');
}

void watch_forget_below(struct watch *watch, const char *relative) {
  for (size_t i = watch->count; i-- > 0;) {
    int wd = watch->dirs[i].wd;
    if (!is_below(watch->dirs[i].path, relative)) continue;
    watch_forget(watch, wd);
    inotify_rm_watch(watch->fd, wd);
  }
}
