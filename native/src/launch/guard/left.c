/* Links that lead out of their root, and FIFOs. Nothing is refused: a box may use both. A link is judged by its words alone, since the
 * supervisor follows it later. */
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

#define MOST_NOTES 64

static bool makes_fifo(const struct k_notification *call) {
  switch (call->number) {
    case SYS_mknodat: return S_ISFIFO(call->argument[2]);
#ifdef SYS_mknod
    case SYS_mknod: return S_ISFIFO(call->argument[1]);
#endif
    default: return false;
  }
}

/* The words of a new link. False for any other call, and for a link that stays in its directory. */
static bool read_link(const struct k_notification *call, struct target *words) {
  bool links = call->number == SYS_symlinkat;
#ifdef SYS_symlink
  links = links || call->number == SYS_symlink;
#endif
  if (!links) return false;
  words->pid = call->pid;
  words->address = call->argument[0];
  return read_target(words) == FOUND && (words->path[0] == '/' || strstr(words->path, ".."));
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

void note_left(const struct plan *plan, const struct k_notification *call, const struct new_name *name) {
  static struct target words;
  static struct place place;
  static unsigned notes;
  bool fifo = makes_fifo(call);
  if (notes == MOST_NOTES || (!fifo && !read_link(call, &words)) || find_place(&name->new, false, &place) != FOUND) return;
  close(place.directory);
  int root = root_of(plan, place.path);
  if (root < 0 || !stays_on_host(plan, place.path) || (!fifo && !leads_out(plan, root, place.path, words.path))) return;
  notes++;
  report_refusal(LEFT_NAME, place.path, NULL);
}
