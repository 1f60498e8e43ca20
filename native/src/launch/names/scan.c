/* Finds protected names below a root, by descriptors, so that a swapped directory cannot lead the walk elsewhere. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "scan.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../paths/sight.h"
#include "../paths/source.h"
#include "../plan/hit.h"
#include "../report/fail.h"
#include "names.h"
#include "secret.h"
#include "sockets.h"

struct walk {
  const struct plan *plan;
  unsigned root;
  bool hidden_only, layer; /* `layer`: earlier commands made its files */
  struct findings *found;
  int matched, covered; /* effects on this entry and on the content of this directory, or -1 */
  char path[4096];
};

static int walk_directory(struct walk *walk, int fd, size_t length, const struct states *above, int depth, bool packages);

/* Takes over `fd`. `hidden_only`: nothing below needs protection from writing. */
static int scan_from(const struct plan *plan, unsigned root, int fd, bool hidden_only, bool layer, struct findings *found) {
  if (fd < 0) return errno;
  struct walk walk = {.plan = plan, .root = root, .hidden_only = hidden_only, .layer = layer, .found = found, .covered = -1};
  struct states states = {0};
  bool packages = false;
  int error = enter_names(plan, LIST_AT(plan->roots, const char *, root), &states, &packages);
  if (!error) return walk_directory(&walk, fd, 0, &states, 0, packages);
  close(fd);
  return error;
}

/* Files that earlier commands wrote to a staged layer are not on the host (attack: an AGENTS.md for the next command). */
static int scan_layer(const struct plan *plan, unsigned root, const struct layer_directory *upper, struct findings *found) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), layer = open_layer(host, upper);
  int error = scan_from(plan, root, openat(layer, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), true, true, found);
  close(layer);
  close(host);
  return error;
}

int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found) {
  bool shown = is_shown_root(plan, root);
  int error = scan_from(plan, root, openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), shown, false, found);
  /* A directory that cannot be listed here cannot be listed in the box either. */
  if (shown && error == EACCES) error = 0;
  const struct layer_directory *upper = error || found->after ? NULL : staged_upper(plan, root);
  return upper ? scan_layer(plan, root, upper, found) : error;
}

/* Searches for hidden names only, in a directory that was moved into a root while a box runs. `path`: below the root,
 * with a leading slash. */
int scan_below(const struct plan *plan, unsigned root, int root_fd, const char *path, struct findings *found) {
  const char *root_path = LIST_AT(plan->roots, const char *, root);
  struct walk walk = {.plan = plan, .root = root, .hidden_only = true, .found = found, .covered = -1};
  struct states states = {0};
  bool packages = false;
  char absolute[8300];
  int length = snprintf(walk.path, sizeof walk.path, "%s/", path + 1), depth = 0;
  if (snprintf(absolute, sizeof absolute, "%s%s", root_path[1] ? root_path : "", path) >= (int)sizeof absolute || length >= (int)sizeof walk.path) return ENAMETOOLONG;
  for (const char *at = path; *at; at++) depth += *at == '/';
  int fd = open_beneath(root_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), error = enter_names(plan, absolute, &states, &packages);
  if (fd < 0) return errno;
  if (!error && depth <= MAX_DEPTH) return walk_directory(&walk, fd, (size_t)length, &states, depth, packages);
  close(fd);
  return error;
}

/* `names`: how many of its names this is. */
static void note_links(struct walk *walk, const struct sight *sight, int effect, unsigned names) {
  if (walk->found->after || !S_ISREG(sight->mode) || sight->links < 2) return;
  struct linked *file = list_push(&walk->found->linked, sizeof *file);
  *file = (struct linked){sight->is.device, sight->is.inode, sight->links, names, (enum effect)effect};
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
  struct sight sight, target;
  if ((walk->hidden_only && effect != EFFECT_HIDDEN) || is_released(walk->plan, walk->root, walk->path)) return 0;
  if (!look_at(parent, entry, AT_SYMLINK_NOFOLLOW, &sight)) return errno == ENOENT ? 0 : errno;
  walk->matched = (int)effect;
  struct hit hit = {.effect = effect, .symlink = S_ISLNK(sight.mode), .is = sight.is};
  if (!hit.symlink) note_links(walk, &sight, effect, 1);
  else if (look_at(parent, entry, 0, &target)) {
    note_links(walk, &target, effect, 0);
    hit.target = target.is;
  }
  hit.text = hit.symlink ? link_text(parent, entry) : NULL;
  push_hit(walk, hit);
  return 0;
}

/* Finds entries by kind, not by name: sockets of the host, and other names of files in a protected directory. */
static void look_closer(struct walk *walk, int parent, const char *entry) {
  struct sight sight;
  if (!look_at(parent, entry, AT_SYMLINK_NOFOLLOW, &sight)) return;
  if (walk->covered >= 0) note_links(walk, &sight, walk->covered, 1);
  if (!S_ISSOCK(sight.mode) || walk->plan->helper.count || is_released(walk->plan, walk->root, walk->path) || !listens(parent, entry)) return;
  push_hit(walk, (struct hit){.effect = EFFECT_HIDDEN, .unpinned = true, .is = sight.is});
}

/* The target of a link, as the kernel sees it. False for a dangling link. */
bool path_behind(int parent, const char *entry, char path[4096]) {
  char link[32];
  int fd = openat(parent, entry, O_PATH | O_CLOEXEC);
  if (fd < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4095);
  close(fd);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

/* A link out of the repository shows none of the repository's files, and its target is not the repository's to hide
 * (attack: `AGENTS.md` that leads to the user's own settings of an agent, or `.claude` to /usr). */
static bool leads_out(const struct walk *walk, int parent, const char *entry) {
  struct stat st;
  char path[4096];
  if (fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode)) return false;
  return path_behind(parent, entry, path) && !is_withholding(walk->plan, path);
}

static int match_entry(struct walk *walk, int parent, const char *entry, const struct states *above, struct states *below, bool packages) {
  unsigned withheld = 0;
  bool suspect = false;
  int effect = advance_names(&(struct step){walk->plan, entry, packages, STEP_ANYWHERE, &suspect, &withheld}, above, below, NULL);
  walk->matched = -1;
  if (suspect && effect != TOO_MANY_NAMES && !walk->found->after && !walk->layer && may_be_secret(walk->plan, walk->root, walk->path) && holds_secret(parent, entry, &walk->found->judged)) effect = EFFECT_HIDDEN;
  if (effect != TOO_MANY_NAMES && withheld && !walk->found->after && is_withheld(walk->plan, walk->root, walk->path, withheld) && !leads_out(walk, parent, entry)) effect = EFFECT_HIDDEN;
  if (effect > -2 && effect < EFFECT_READ_ONLY && is_guarded(walk->plan, walk->root, walk->path)) effect = EFFECT_READ_ONLY;
  if (effect == TOO_MANY_NAMES) return E2BIG;
  return effect < 0 ? 0 : add_hit(walk, parent, entry, (enum effect)effect);
}

/* git's object directories hold only objects that are named by hash, and each repository has up to 256 of them. A link
 * count of two means that it contains no directory (attack: an additional git directory below .git/objects/ab). */
static bool holds_objects(const struct walk *walk, int parent, const char *entry, size_t length) {
  bool hexadecimal = isxdigit((uint8_t)entry[0]) && isxdigit((uint8_t)entry[1]) && entry[2] == 0;
  if (!hexadecimal || length < 13 || memcmp(walk->path + length - 13, ".git/objects/", 13) != 0) return false;
  struct stat st;
  return fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink == 2;
}

static bool has(int directory, const char *entry) {
  return faccessat(directory, entry, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* git takes a directory with these entries for a repository, under any name (attack: an embedded bare repository). */
static bool is_git_directory(int fd) {
  return has(fd, "HEAD") && (has(fd, "commondir") || (has(fd, "objects") && has(fd, "refs")));
}

/* A directory that cannot be searched becomes a hit itself: read-only while the box runs, and quarantined if it is new.
 * Otherwise a tree that is too deep, a path that is too long, or a directory that may be entered but not listed would
 * hide its contents. */
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

static void push_linked(struct walk *walk, int directory, const char *entry) {
  struct sight sight;
  if (!look_at(directory, entry, 0, &sight)) return;
  push_hit(walk, (struct hit){.effect = EFFECT_HIDDEN, .symlink = true, .unpinned = true, .is = sight.is, .text = strdup("")});
  note_links(walk, &sight, EFFECT_HIDDEN, 0);
}

/* A name may continue behind a symlink to a directory (attack: `.github -> docs` with instructions in it). Follows only
 * for withheld names, because they count by the path through which they are reached, and only as deep as the longest of
 * them. */
static int follow_link(struct walk *walk, int parent, const char *entry, size_t length, const struct states *above) {
  DIR *directory = NULL;
  int fd = leads_out(walk, parent, entry) ? -1 : openat(parent, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && !(directory = fdopendir(fd))) close(fd);
  int error = 0;
  for (const struct dirent *inner; directory && !error && (inner = readdir(directory));) {
    size_t name_length = strlen(inner->d_name);
    if (strcmp(inner->d_name, ".") == 0 || strcmp(inner->d_name, "..") == 0 || length + name_length + 2 > sizeof walk->path) continue;
    memcpy(walk->path + length, inner->d_name, name_length + 1);
    struct states below;
    unsigned withheld = 0;
    if (advance_names(&(struct step){walk->plan, inner->d_name, false, STEP_FROM_ABOVE, NULL, &withheld}, above, &below, NULL) == TOO_MANY_NAMES) error = E2BIG;
    else if (withheld && is_withheld(walk->plan, walk->root, walk->path, withheld) && !leads_out(walk, dirfd(directory), inner->d_name)) push_linked(walk, dirfd(directory), inner->d_name);
    else if (below.count) {
      walk->path[length + name_length] = '/';
      error = follow_link(walk, dirfd(directory), inner->d_name, length + name_length + 1, &below);
    }
  }
  if (directory) closedir(directory);
  return error;
}

static int follow_names(struct walk *walk, int parent, const char *entry, size_t length, const struct states *states) {
  struct states going = *states;
  keep_withheld(walk->plan, &going);
  struct stat st;
  if (walk->found->after || going.count == 0 || fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode)) return 0;
  walk->path[length] = '/';
  int error = follow_link(walk, parent, entry, length + 1, &going);
  walk->path[length] = 0;
  return error;
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
  if (error) return error;
  if (entry->type == DT_LNK || entry->type == DT_UNKNOWN) {
    error = follow_names(walk, fd, name, length + name_length, &below);
    if (error) return error;
  }
  if (!maybe_directory || holds_objects(walk, fd, name, length)) return 0;
  walk->path[length + name_length] = '/';
  if (matched > EFFECT_PINNED && matched > covered) walk->covered = matched;
  error = descend(walk, fd, name, length + name_length + 1, &below, depth + 1, packages);
  walk->covered = covered;
  walk->path[length + name_length] = 0;
  return error;
}

static int walk_directory(struct walk *walk, int fd, size_t length, const struct states *above, int depth, bool packages) {
  int error = 0;
  while (!error) {
    long got = read_entries(&walk->found->listing, depth, fd);
    if (got < 0) error = errno;
    if (got <= 0) break;
    for (long at = 0; at < got && !error;) {
      const struct k_linux_dirent64 *entry = (const void *)(walk->found->listing.buffer[depth] + at);
      at += entry->reclen;
      error = visit(walk, fd, entry, length, above, depth, packages);
    }
  }
  close(fd);
  return error;
}
