/* Finds protected names below a root, by descriptors, so that a swapped directory cannot lead the walk elsewhere. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

#define MAX_DEPTH 512
struct walk {
  const struct plan *plan;
  unsigned root;
  bool hidden_only;
  struct findings *found;
  int matched, covered; /* effects on this entry and on what lies in this directory, or -1 */
  char path[4096];
};

static int walk_directory(struct walk *walk, int fd, size_t length, const struct states *above, int depth, bool packages);

int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found) {
  struct walk *walk = calloc(1, sizeof *walk);
  if (!walk) return ENOMEM;
  walk->plan = plan;
  walk->root = root;
  walk->hidden_only = is_shown_root(plan, root);
  walk->found = found;
  walk->covered = -1;
  struct states states = {0};
  bool packages = false;
  int error = enter_names(plan, LIST_AT(plan->roots, const char *, root), &states, &packages);
  int fd = error ? -1 : openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!error) error = fd < 0 ? errno : walk_directory(walk, fd, 0, &states, 0, packages);
  /* What may not be listed here may not be listed in the box. */
  if (walk->hidden_only && error == EACCES) error = 0;
  free(walk);
  return error;
}

/* `names`: how many of its names this is. */
static void note_links(struct walk *walk, const struct stat *st, int effect, unsigned names) {
  if (walk->found->after || !S_ISREG(st->st_mode) || st->st_nlink < 2) return;
  struct linked *file = list_push(&walk->found->linked, sizeof *file);
  *file = (struct linked){st->st_dev, st->st_ino, st->st_nlink, names, (enum effect)effect};
}

static void push_hit(struct walk *walk, struct hit hit) {
  hit.root = walk->root;
  hit.path = strdup(walk->path);
  if (!hit.path || (hit.symlink && !hit.text)) fail("memory", "", ENOMEM);
  *(struct hit *)list_push(&walk->found->hits, sizeof hit) = hit;
}

static char *link_text(int parent, const char *entry) {
  char text[4096];
  ssize_t length = readlinkat(parent, entry, text, sizeof text - 1);
  return strndup(text, length > 0 ? (size_t)length : 0);
}

static int add_hit(struct walk *walk, int parent, const char *entry, enum effect effect) {
  struct stat st;
  if ((walk->hidden_only && effect != EFFECT_HIDDEN) || is_released(walk->plan, walk->root, walk->path)) return 0;
  if (fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW)) return errno == ENOENT ? 0 : errno;
  walk->matched = (int)effect;
  char *text = S_ISLNK(st.st_mode) ? link_text(parent, entry) : NULL;
  push_hit(walk, (struct hit){.effect = effect, .symlink = S_ISLNK(st.st_mode), .device = st.st_dev, .inode = st.st_ino, .text = text});
  if (!S_ISLNK(st.st_mode)) note_links(walk, &st, effect, 1);
  else if (fstatat(parent, entry, &st, 0) == 0) note_links(walk, &st, effect, 0);
  return 0;
}

/* What is found by what it is, not by its name: sockets of the host, and other names of what a protected directory holds. */
static void look_closer(struct walk *walk, int parent, const char *entry) {
  struct stat st;
  if (fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW)) return;
  if (walk->covered >= 0) note_links(walk, &st, walk->covered, 1);
  if (!S_ISSOCK(st.st_mode) || walk->plan->helper.count || is_released(walk->plan, walk->root, walk->path) || !listens(parent, entry)) return;
  push_hit(walk, (struct hit){.effect = EFFECT_HIDDEN, .unpinned = true, .device = st.st_dev, .inode = st.st_ino});
}

static int match_entry(struct walk *walk, int parent, const char *entry, const struct states *above, struct states *below, bool packages) {
  int effect = advance_names(&(struct step){walk->plan, entry, packages, STEP_ANYWHERE}, above, below, NULL);
  walk->matched = -1;
  if (effect > -2 && effect < EFFECT_READ_ONLY && is_guarded(walk->plan, walk->root, walk->path)) effect = EFFECT_READ_ONLY;
  if (effect == TOO_MANY_NAMES) return E2BIG;
  return effect < 0 ? 0 : add_hit(walk, parent, entry, (enum effect)effect);
}

/* git's object directories hold nothing but objects named by hash, and there are up to 256 of them in each repository.
 * Two links mean that no directory lies in it (attack: a git directory of one's own below .git/objects/ab). */
static bool holds_objects(const struct walk *walk, int parent, const char *entry, size_t length) {
  bool hexadecimal = isxdigit((uint8_t)entry[0]) && isxdigit((uint8_t)entry[1]) && entry[2] == 0;
  if (!hexadecimal || length < 13 || memcmp(walk->path + length - 13, ".git/objects/", 13) != 0) return false;
  struct stat st;
  return fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink == 2;
}

static bool has(int directory, const char *entry) {
  return faccessat(directory, entry, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* git takes a directory with these for a repository, whatever it is called (attack: an embedded bare repository). */
static bool is_git_directory(int fd) {
  return has(fd, "HEAD") && (has(fd, "commondir") || (has(fd, "objects") && has(fd, "refs")));
}

/* What cannot be walked becomes a hit itself: read-only while the box runs, and put aside when it is new. Otherwise a tree
 * too deep, a path too long or a directory that may be entered but not listed would keep what lies behind it unseen. */
static int descend(struct walk *walk, int parent, const char *entry, size_t length, struct states *below, int depth, bool packages) {
  int fd = openat(parent, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int error = fd < 0 || faccessat(fd, ".", X_OK, AT_EACCESS) ? errno : depth >= MAX_DEPTH ? EMLINK : 0;
  if (!error && strcasecmp(entry, ".git") != 0 && is_git_directory(fd)) error = enter_git_names(walk->plan, below);
  if (!error) error = walk_directory(walk, fd, length, below, depth, packages || strcasecmp(entry, "node_modules") == 0);
  else if (fd >= 0) close(fd);
  if (error == ENOENT || error == ENOTDIR || error == ELOOP) return 0;
  if (error != EACCES && error != EMLINK && error != ENAMETOOLONG && error != E2BIG) return error;
  walk->path[length - 1] = 0;
  return add_hit(walk, parent, entry, EFFECT_READ_ONLY);
}

static int visit(struct walk *walk, int fd, const struct k_linux_dirent64 *entry, size_t length, const struct states *above, int depth, bool packages) {
  const char *name = entry->name;
  if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) return 0;
  size_t name_length = strlen(name);
  if (length + name_length + 2 > sizeof walk->path) return ENAMETOOLONG;
  memcpy(walk->path + length, name, name_length + 1);
  struct states below;
  int error = match_entry(walk, fd, name, above, &below, packages), matched = walk->matched, covered = walk->covered;
  bool maybe_directory = entry->type == DT_DIR || entry->type == DT_UNKNOWN;
  bool maybe_socket = entry->type == DT_SOCK || entry->type == DT_UNKNOWN;
  if (!error && !walk->found->after && matched < 0 && (maybe_socket || (covered >= 0 && entry->type == DT_REG))) look_closer(walk, fd, name);
  if (error || !maybe_directory || holds_objects(walk, fd, name, length)) return error;
  walk->path[length + name_length] = '/';
  if (matched > EFFECT_PINNED && matched > covered) walk->covered = matched;
  error = descend(walk, fd, name, length + name_length + 1, &below, depth + 1, packages);
  walk->covered = covered;
  walk->path[length + name_length] = 0;
  return error;
}

static int walk_directory(struct walk *walk, int fd, size_t length, const struct states *above, int depth, bool packages) {
  size_t size = depth < 4 ? 32768 : 4096;
  char *buffer = malloc(size);
  int error = buffer ? 0 : ENOMEM;
  while (!error) {
    long got = syscall(SYS_getdents64, fd, buffer, size);
    if (got < 0) error = errno;
    if (got <= 0) break;
    for (long at = 0; at < got && !error;) {
      const struct k_linux_dirent64 *entry = (const void *)(buffer + at);
      at += entry->reclen;
      error = visit(walk, fd, entry, length, above, depth, packages);
    }
  }
  free(buffer);
  close(fd);
  return error;
}
