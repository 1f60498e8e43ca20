/* Walks trees by descriptors, so that a directory that is swapped for a symlink is not followed. The descriptors of
 * distant levels are closed and reopened through `..`, which must lead back to the same directory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "walk.h"
#include "input.h"
#include "operate.h"

#define CHUNK 8192
#define OPEN_LEVELS 64
#define STEPS_PER_LOOK 64

int open_directory_at(int directory, const char *name, int flags) {
  return openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
}

struct level *walk_level(const struct walk *walk) {
  return &walk->levels[walk->depth - 1];
}

static int make_place(struct place *place, int fd) {
  struct stat st;
  *place = (struct place){.fd = fd};
  if (fd < 0) return 0;
  if (fstat(fd, &st)) return -1;
  place->device = st.st_dev;
  place->inode = st.st_ino;
  return 0;
}

static void close_place(struct place *place) {
  if (place->fd >= 0) close(place->fd);
  place->fd = -1;
}

static int find_again(struct place *place, const struct place *below) {
  if (place->fd >= 0 || below->fd < 0) return 0;
  struct place found;
  if (make_place(&found, open_directory_at(below->fd, "..", O_NOFOLLOW)) || found.fd < 0) return -1;
  if (found.device == place->device && found.inode == place->inode) return *place = found, 0;
  close(found.fd);
  errno = ESTALE;
  return -1;
}

static void suspend(struct level *level) {
  close_place(&level->here);
  close_place(&level->other);
  free(level->chunk);
  level->chunk = NULL;
}

static int resume(struct level *level, const struct level *below, bool from_start) {
  if (level->here.fd >= 0) return 0;
  if (find_again(&level->here, &below->here) || find_again(&level->other, &below->other)) return -1;
  return lseek(level->here.fd, from_start ? 0 : level->position, SEEK_SET) < 0 ? -1 : 0;
}

static int more_room(struct walk *walk) {
  if (walk->depth < walk->room) return 0;
  unsigned room = walk->room ? walk->room * 2 : 8;
  struct level *levels = realloc(walk->levels, room * sizeof *levels);
  if (!levels) return errno = ENOMEM, -1;
  walk->levels = levels;
  walk->room = room;
  return 0;
}

static int push(struct walk *walk, const char *name, struct place here, struct place other) {
  if (more_room(walk)) return -1;
  struct level *level = &walk->levels[walk->depth++];
  *level = (struct level){.here = here, .other = other, .path_length = walk->path_length};
  strncpy(level->name, name, sizeof level->name - 1);
  if (walk->depth > OPEN_LEVELS) suspend(&walk->levels[walk->depth - 1 - OPEN_LEVELS]);
  return 0;
}

static int enter(struct walk *walk, const char *name, const int fds[2]) {
  struct place here, other;
  int wrong = make_place(&here, fds[0]), also = make_place(&other, fds[1]);
  if (!wrong && !also && !push(walk, name, here, other)) return 0;
  int error = errno;
  close_place(&here);
  close_place(&other);
  errno = error;
  return -1;
}

int walk_begin(struct walk *walk, int fd, int other) {
  *walk = (struct walk){0};
  return enter(walk, "", (int[]){fd, other});
}

/* The name is in the chunk of the level above. */
int walk_enter(struct walk *walk, int fd, int other) {
  const struct level *level = walk_level(walk);
  const struct k_dirent *entry = (const void *)(level->chunk + level->at);
  return enter(walk, entry->name, (int[]){fd, other});
}

static void set_path(struct walk *walk, const char *name) {
  size_t above = walk_level(walk)->path_length, length = strlen(name), slash = above > 0;
  walk->path_length = WALK_PATH_CUT;
  if (above + slash + length >= WALK_PATH_CUT) return;
  if (slash) walk->path[above] = '/';
  memcpy(walk->path + above + slash, name, length + 1);
  walk->path_length = above + slash + length;
}

static int read_chunk(struct level *level) {
  if (!level->chunk && !(level->chunk = malloc(CHUNK))) return errno = ENOMEM, -1;
  long got = syscall(SYS_getdents64, level->here.fd, level->chunk, CHUNK);
  level->at = 0;
  level->used = got > 0 ? (unsigned)got : 0;
  return (int)got;
}

static const struct k_dirent *take_entry(struct level *level) {
  const struct k_dirent *entry = (const void *)(level->chunk + level->at);
  level->position = entry->next;
  return entry;
}

int walk_next(struct walk *walk, struct entry *entry) {
  struct level *level = walk_level(walk);
  if (++walk->steps % STEPS_PER_LOOK == 0 && current_cancelled()) return errno = ECANCELED, -1;
  for (;;) {
    /* The entry that was returned last stays in place until now, because `walk_enter` needs its name. */
    if (level->chunk && level->at < level->used) level->at += ((const struct k_dirent *)(const void *)(level->chunk + level->at))->size;
    if (!level->chunk || level->at >= level->used) {
      int got = read_chunk(level);
      if (got <= 0) return got;
    }
    const struct k_dirent *found = take_entry(level);
    if (!strcmp(found->name, ".") || !strcmp(found->name, "..")) continue;
    *entry = (struct entry){found->name, found->type};
    set_path(walk, found->name);
    return 1;
  }
}

int walk_leave(struct walk *walk) {
  struct level *left = walk_level(walk);
  walk->path_length = left->path_length;
  if (walk->path_length < WALK_PATH_CUT) walk->path[walk->path_length] = 0;
  int result = walk->depth > 1 ? resume(left - 1, left, walk->entries_vanish) : 0, error = errno;
  suspend(left);
  walk->depth--;
  errno = error;
  return result;
}

void walk_end(struct walk *walk) {
  while (walk->depth > 0) suspend(&walk->levels[--walk->depth]);
  free(walk->levels);
}

bool failed_in(int error, const char *call, const char *root, const struct walk *walk) {
  char path[4096];
  snprintf(path, sizeof path, walk->path[0] ? "%s/%s" : "%s", root, walk->path);
  return failed_at(error, call, path);
}
