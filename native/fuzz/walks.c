/* Makes a tree, walks it, changes it, walks it again and sweeps. Each walk is done twice: by the directories that an
 * earlier one remembers, and by reading all. Both have to find the same. */
#include "../src/launch/names/remembered.c"
#include "../src/launch/names/sweep.c"
#include <errno.h>
#include <ftw.h>
#include <sys/fsuid.h>
#include <time.h>
#include "../src/launch/report/fail.h"

#define NOBODY 65534
/* Longer than a tick of the clock that dates changes. */
#define TICK 11000000
#define MOST_OPERATIONS 60
#define DEEP_NAMES 20
#define SPOILT 40

/* scripts/fuzz-walks-seeds.ts reads both lists. */
static const char *const places[] = {
    "a", "a/b", "a/b/c", "a/.envrc", "a/b/.envrc", "a/b/c/.envrc", "d", "d/.git", "d/.git/hooks", "d/.git/hooks/x", "d/.git/objects", "d/.git/objects/ab",
    "d/.git/objects/ab/cd", "d/.git/objects/ab/cd/.envrc", "d/.git/HEAD", "d/.git/refs", "e", "e/HEAD", "e/refs", "e/objects", "e/info", "e/info/exclude",
    "e/info/exclude/x", "node_modules", "node_modules/p", "node_modules/p/.envrc", ".vscode", ".vscode/tasks.json", "f", "f/tasks.json", "f/g", "f/g/.vscode", ".envrc",
    "f/g/prod.env", "f/g/AGENTS.md", "link", "d/.git/hooks/x/y", "z"};
__attribute__((unused)) static const char *const operations[] = {"mkdir", "create", "remove", "rename", "exchange", "symlink", "link", "chmod", "secret", "deepen"};
static const mode_t modes[] = {0, 0311, 0600, 0755, 0444};
#define PLACES (sizeof places / sizeof *places)

/* The launcher gives nothing back before it ends. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
  return 1;
}

static char announced[1 << 16];

void report(enum report kind, const void *payload, size_t size) {
  size_t used = strlen(announced);
  if (used + size + 2 < sizeof announced) snprintf(announced + used, size + 2, "%.*s\n", (int)size, (const char *)payload);
}
void report_failure(const char *stage, const char *subject, int error) {
  char text[4096];
  int length = snprintf(text, sizeof text, "%s %s %d", stage, subject, error);
  report(R_APPEARED, text, (size_t)length);
}
void fail(const char *stage, const char *subject, int error) {
  fprintf(stderr, "%s %s: %s\n", stage, subject, strerror(error));
  abort();
}

static void add_protected(struct plan *plan, struct protected_name name) {
  while (name.components < MAX_COMPONENTS && name.component[name.components]) name.components++;
  *(struct protected_name *)list_push(&plan->names, sizeof name) = name;
}

/* A path longer than a walk follows. */
static void deepen(int root, const char *place) {
  char name[251];
  memset(name, 'n', 250);
  name[250] = 0;
  int fd = openat(root, place, O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < DEEP_NAMES && fd >= 0; i++) {
    mkdirat(fd, name, 0755);
    int next = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    close(fd);
    fd = next;
  }
  if (fd >= 0) close(fd);
}

static void change(int root, const uint8_t *operation) {
  const char *one = places[operation[1] % PLACES], *other = places[operation[2] % PLACES];
  int fd = -1;
  switch (operation[0] % (sizeof operations / sizeof *operations)) {
    case 0: mkdirat(root, one, 0755); break;
    case 1: fd = openat(root, one, O_CREAT | O_WRONLY | O_CLOEXEC, 0644); break;
    case 2: if (unlinkat(root, one, 0)) unlinkat(root, one, AT_REMOVEDIR); break;
    case 3: renameat(root, one, root, other); break;
    case 4: syscall(SYS_renameat2, root, one, root, other, 2u /* RENAME_EXCHANGE */); break;
    case 5: symlinkat(strchr(one, '/') && strchr(other, '/') ? strchr(other, '/') + 1 : other, root, one); break;
    case 6: linkat(root, other, root, one, 0); break;
    case 7: fchmodat(root, one, modes[operation[2] % 5], 0); break;
    case 8:
      fd = openat(root, one, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
      if (fd >= 0 && write(fd, "DB_PASSWORD=Xk29vQm1\n", operation[2] % 2 ? 21 : 3) < 0) fail("write", one, errno);
      break;
    case 9: deepen(root, one); break;
  }
  if (fd >= 0) close(fd);
}

struct input {
  const uint8_t *at, *end;
};

static void change_some(int root, struct input *input, unsigned most) {
  for (unsigned i = 0; i < most && input->end - input->at >= 3; i++, input->at += 3) change(root, input->at);
}

static void compare(const char *remembered, const char *read) {
  if (strcmp(remembered, read) == 0) return;
  fprintf(stderr, "remembered:\n%sread:\n%s", remembered, read);
  abort();
}

static void check_sweep(const struct plan *plan, int root, struct findings *first) {
  char by_memory[sizeof announced];
  struct seen *seen = first->seen;
  seen->began = 0; /* this clock has not gone back */
  announced[0] = 0;
  sweep(plan, &root, first, ASIDE_REPORT);
  memcpy(by_memory, announced, sizeof announced);
  announced[0] = 0;
  first->seen = NULL;
  sweep(plan, &root, first, ASIDE_REPORT);
  first->seen = seen;
  compare(by_memory, announced);
}

static int compare_files(const void *a, const void *b) {
  return memcmp(a, b, sizeof(struct linked));
}

static void describe(struct findings *found, int error) {
  size_t used = (size_t)snprintf(announced, sizeof announced, "%d\n", error);
  if (found->hits.count) qsort(found->hits.items, found->hits.count, sizeof(struct hit), compare_hits);
  if (found->linked.count) qsort(found->linked.items, found->linked.count, sizeof(struct linked), compare_files);
  for (size_t i = 0; i < found->hits.count && used < sizeof announced - 8192; i++) {
    const struct hit *hit = &LIST_AT(found->hits, struct hit, i);
    used += (size_t)snprintf(announced + used, 8192, "%s %d %d %llu %llu\n", hit->path, hit->effect, hit->symlink, (unsigned long long)hit->is.inode, (unsigned long long)hit->target.inode);
  }
  for (size_t i = 0; i < found->linked.count && used < sizeof announced - 8192; i++) {
    const struct linked *file = &LIST_AT(found->linked, struct linked, i);
    used += (size_t)snprintf(announced + used, 8192, "linked %llu %llu %d\n", (unsigned long long)file->inode, (unsigned long long)file->names, file->effect);
  }
}

static const struct seen *decoded(const struct plan *plan, uint8_t *bytes, size_t size) {
  struct seen *known = calloc(1, sizeof *known);
  ((struct head *)(void *)bytes)->sum = sum_of(bytes + 16, size - 16);
  return decode(plan, bytes, size, known) ? known : NULL;
}

static const struct seen *keep(const struct plan *plan, const struct seen *seen) {
  size_t size = encode(plan, seen, NULL);
  uint8_t *bytes = calloc(1, size);
  encode(plan, seen, bytes);
  const struct seen *known = decoded(plan, bytes, size);
  if (!known) fail("recall", "", 0);
  return known;
}

/* A file with other bytes may find less, but harms nothing. */
static void check_spoilt(const struct plan *plan, int root, const struct seen *seen, uint32_t random) {
  size_t size = encode(plan, seen, NULL);
  uint8_t *bytes = malloc(size);
  for (int round = 0; round < SPOILT; round++) {
    encode(plan, seen, bytes);
    for (int i = 0; i < 3; i++) {
      random = random * 1664525 + 1013904223;
      bytes[sizeof(struct head) + (random >> 8) % (size - sizeof(struct head))] = (uint8_t)(random >> (random & 1 ? 3 : 27));
    }
    struct findings found = {.known = decoded(plan, bytes, size)};
    if (found.known) scan_root(plan, 0, root, &found);
    free_listing(&found.listing);
  }
  free(bytes);
}

/* The next command's walk, by the directories of the last one. */
static int check_walk(const struct plan *plan, int root, const struct seen *known, struct findings *second) {
  char by_memory[sizeof announced];
  second->known = known;
  int error = scan_root(plan, 0, root, second);
  describe(second, error);
  memcpy(by_memory, announced, sizeof announced);
  struct findings all = {0};
  describe(&all, scan_root(plan, 0, root, &all));
  compare(by_memory, announced);
  return error;
}

static int open_up(const char *path, const struct stat *st, int kind, struct FTW *at) {
  return kind == FTW_D || kind == FTW_DNR ? chmod(path, 0700) && 0 : 0;
}
static int take_away(const char *path, const struct stat *st, int kind, struct FTW *at) {
  return remove(path) && 0;
}
static void remove_arena(const char *arena) {
  char command[128];
  for (int again = 0; again < 4; again++) nftw(arena, open_up, 16, FTW_PHYS);
  nftw(arena, take_away, 16, FTW_DEPTH | FTW_PHYS);
  if (rmdir(arena) == 0 || errno == ENOENT) return;
  snprintf(command, sizeof command, "rm -rf %s", arena); /* its paths are too long for nftw */
  if (system(command)) fail("remove", arena, 0);
}

/* A person may release and approve names between two commands. */
static void check(struct plan *plan, int root, struct input input, unsigned before, unsigned between) {
  change_some(root, &input, before);
  struct seen seen = {.began = INT64_MAX}, again = {.began = INT64_MAX}; /* no directory is too young */
  struct findings first = {.seen = &seen}, second = {.seen = &again};
  if (scan_root(plan, 0, root, &first)) return;
  const struct seen *known = keep(plan, &seen);
  nanosleep(&(struct timespec){0, TICK}, NULL);
  change_some(root, &input, between);
  check_sweep(plan, root, &first);
  plan->released.count = plan->approved.count = 0;
  if (check_walk(plan, root, known, &second)) return;
  nanosleep(&(struct timespec){0, TICK}, NULL);
  change_some(root, &input, MOST_OPERATIONS);
  check_sweep(plan, root, &second);
  check_spoilt(plan, root, &again, before + between * 256u + (unsigned)again.directories.count * 65536u);
}

static void add_path(struct list *paths, const char *arena, const char *place) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", arena, place) < 0) abort();
  *(const char **)list_push(paths, sizeof path) = path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  char arena[] = "/dev/shm/holdfast-walks-XXXXXX";
  uid_t self = geteuid();
  if (self == 0) setfsuid(NOBODY); /* modes mean nothing to root */
  if (!mkdtemp(arena)) fail("make arena", arena, errno);
  int root = open(arena, O_PATH | O_DIRECTORY | O_CLOEXEC);
  struct plan plan = {0};
  *(const char **)list_push(&plan.roots, sizeof(char *)) = arena;
  *(const char **)list_push(&plan.withholding, sizeof(char *)) = arena;
  add_protected(&plan, (struct protected_name){.effect = EFFECT_READ_ONLY, .component = {".envrc"}, .outside_packages = true});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_PINNED, .component = {".git"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_READ_ONLY, .component = {".git", "hooks"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_READ_ONLY, .component = {".git", "info", "exclude"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_READ_ONLY, .component = {".vscode", "tasks.json"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_WITHHELD, .component = {"AGENTS.md"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_WITHHELD, .component = {"link", "tasks.json"}});
  add_protected(&plan, (struct protected_name){.effect = EFFECT_WITHHELD, .component = {"*.env"}, .suspect = true});
  add_path(&plan.released, arena, "d/.git/hooks");
  add_path(&plan.approved, arena, "f/g/AGENTS.md");
  check(&plan, root, (struct input){data + 2, data + size}, data[0] % MOST_OPERATIONS, data[1] % MOST_OPERATIONS);
  close(root);
  remove_arena(arena);
  setfsuid(self);
  return 0;
}
