/* Links that lead out of their root, and FIFOs, when they are made and when they get another name. Nothing is refused: a box may use both.
 * A link is judged by its words alone, since the supervisor follows it later. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "left.h"
#include "../../kernel.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "judge.h"
#include "place.h"
#include "refusals.h"

/* Another note tells that there are more (attack: links that are removed again, before the one that stays). */
#define MOST_NOTES 64

/* Kind of a file that a call makes, or gives another name. */
enum kind { NEITHER, LINK, FIFO };

static bool is_call(const struct k_notification *call, int at, int plain) {
  return call->number == at || call->number == plain;
}

#ifdef SYS_link
enum { PLAIN_MKNOD = SYS_mknod, PLAIN_SYMLINK = SYS_symlink, PLAIN_LINK = SYS_link };
#else
enum { PLAIN_MKNOD = -1, PLAIN_SYMLINK = -1, PLAIN_LINK = -1 };
#endif

static enum kind kind_of_file(const struct target *target, char *words) {
  struct stat st;
  int fd;
  if (open_target(target, O_PATH | O_NOFOLLOW, &fd) != FOUND) return NEITHER;
  ssize_t length = readlinkat(fd, "", words, LONGEST_PATH - 1);
  words[length > 0 ? length : 0] = 0;
  bool fifo = fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
  close(fd);
  return fifo ? FIFO : length > 0 ? LINK : NEITHER;
}

/* The file to which `link` gives another name. */
static enum kind kind_of_linked(const struct k_notification *call, char *words) {
  static struct target old;
  bool at = call->number == SYS_linkat;
  old.pid = call->pid;
  old.directory = at ? (int)call->argument[0] : AT_FDCWD;
  old.address = call->argument[at ? 1 : 0];
  return read_target(&old) == FOUND ? kind_of_file(&old, words) : NEITHER;
}

static enum kind kind_of_new(const struct k_notification *call, const struct new_name *name, char words[LONGEST_PATH]) {
  static struct target text;
  if (name->creation == MOVES) return S_ISLNK(name->moved) || S_ISFIFO(name->moved) ? kind_of_file(&name->old, words) : NEITHER;
  if (is_call(call, SYS_mknodat, PLAIN_MKNOD)) return S_ISFIFO(call->argument[call->number == SYS_mknodat ? 2 : 1]) ? FIFO : NEITHER;
  if (is_call(call, SYS_linkat, PLAIN_LINK)) return kind_of_linked(call, words);
  if (!is_call(call, SYS_symlinkat, PLAIN_SYMLINK)) return NEITHER;
  text.pid = call->pid;
  text.address = call->argument[0];
  if (read_target(&text) != FOUND) return NEITHER;
  memcpy(words, text.path, LONGEST_PATH);
  return LINK;
}

/* Cheap, and false for nearly all links. */
static bool may_lead_out(const char *words) {
  return words[0] == '/' || strstr(words, "..");
}

/* From a directory so many names below its root. */
static bool climbs_out(const char *words, int depth) {
  while (*words) {
    size_t length = strcspn(words, "/");
    bool up = length == 2 && memcmp(words, "..", 2) == 0, none = length == 0 || (length == 1 && words[0] == '.');
    depth += up ? -1 : none ? 0 : 1;
    if (depth < 0) return true;
    words += length + strspn(words + length, "/");
  }
  return false;
}

static int names_in(const char *path) {
  int names = 0;
  for (const char *slash = path; (slash = strchr(slash, '/')); slash++) names++;
  return names;
}

static bool leads_out(const struct plan *plan, int root, const char *path, const char *words) {
  const char *root_path = LIST_AT(plan->roots, const char *, root);
  if (words[0] == '/') return root_of(plan, words) < 0 && strcmp(words, root_path) != 0;
  return climbs_out(words, names_in(path) - (root_path[1] ? names_in(root_path) : 0) - 1);
}

static void note(const struct plan *plan, const struct target *new, enum kind kind, const char *words) {
  static struct place place;
  static unsigned notes;
  if (kind == NEITHER || (kind == LINK && !may_lead_out(words))) return;
  if (notes > MOST_NOTES || find_place(new, false, &place) != FOUND) return;
  close(place.directory);
  int root = root_of(plan, place.path);
  if (root < 0 || !stays_on_host(plan, place.path) || (kind == LINK && !leads_out(plan, root, place.path, words))) return;
  notes++;
  report_refusal(notes > MOST_NOTES ? LEFT_MORE : LEFT_NAME, place.path, NULL);
}

void note_left(const struct plan *plan, const struct k_notification *call, const struct new_name *name) {
  static char words[LONGEST_PATH];
  note(plan, &name->new, kind_of_new(call, name, words), words);
  if (name->exchanges) note(plan, &name->old, kind_of_file(&name->new, words), words);
}
