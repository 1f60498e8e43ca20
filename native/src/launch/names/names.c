/* The protected names. Matches the components of a path one after the other, as the scan and the guard meet them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "names.h"

static bool is_wild(char c) {
  return c == '*' || c == '?';
}

struct beginnings {
  struct list by_first[256], by_last[256];
};

/* Names by the first byte of an entry, or by its last byte if they begin with a wildcard. Created once: a process has
 * one plan, and a plan may have hundreds of roots. */
static const struct beginnings *index_names(const struct plan *plan) {
  static struct beginnings names;
  static const struct plan *indexed;
  if (indexed == plan) return &names;
  indexed = plan;
  for (size_t i = 0; i < plan->names.count; i++) {
    const char *first = LIST_AT(plan->names, struct protected_name, i).component[0];
    bool from_behind = is_wild(first[0]);
    char known = from_behind ? first[strlen(first) - 1] : first[0];
    struct list *lists = from_behind ? names.by_last : names.by_first;
    for (int byte = 0; byte < 256; byte++)
      if (is_wild(known) || (byte | 32) == ((uint8_t)known | 32)) *(uint16_t *)list_push(&lists[byte], sizeof(uint16_t)) = (uint16_t)i;
  }
  return &names;
}

static uint8_t lower(char c) {
  return (uint8_t)(c >= 'A' && c <= 'Z' ? c | 32 : c);
}

/* Supports only `*` and `?`, and ignores ASCII case: `.GIT/Hooks` is git's hooks on a case-insensitive file system. */
bool name_matches(const char *pattern, const char *name) {
  const char *star = NULL, *retry = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      retry = name;
    } else if (*pattern && (*pattern == '?' || lower(*pattern) == lower(*name))) {
      name++;
      /* Matches one character, not one byte: an accent must not let a name bypass a rule for `caf?`. */
      if (*pattern == '?')
        while (((uint8_t)*name & 0xc0) == 0x80) name++;
      pattern++;
    } else if (star) {
      pattern = star + 1;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == 0;
}

static bool is_excepted(const struct protected_name *name, const char *entry) {
  for (unsigned i = 0; i < name->excepts; i++)
    if (name_matches(name->except[i], entry)) return true;
  return false;
}

static bool is_listed(const struct plan *plan, const struct list *paths, unsigned number, const char *path) {
  if (paths->count == 0) return false;
  const char *root = LIST_AT(plan->roots, const char *, number);
  size_t length = root[1] ? strlen(root) : 0;
  for (size_t i = 0; i < paths->count; i++) {
    const char *listed = LIST_AT(*paths, const char *, i);
    if (strncmp(listed, root, length) == 0 && listed[length] == '/' && strcmp(listed + length + 1, path) == 0) return true;
  }
  return false;
}

bool is_released(const struct plan *plan, unsigned root, const char *path) {
  return is_listed(plan, &plan->released, root, path);
}

/* The part of a path below `directory`. NULL for other paths. */
static const char *below(const char *directory, const char *path) {
  size_t length = directory[1] ? strlen(directory) : 0;
  return strncmp(path, directory, length) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1 : NULL;
}

static bool is_component(const char *at, size_t length, const char *word) {
  return length == strlen(word) && strncasecmp(at, word, length) == 0;
}

/* Excludes files of packages, and git's references: a branch may have any name (`agents.md`), and git reads it. `path`
 * is relative to the directory in which names are withheld, because directories above it do not count (attack: a
 * workspace in `node_modules`, or one called `.github`). */
static bool begins_there(const char *path, unsigned components) {
  unsigned count = 1;
  bool git = false;
  for (const char *at = path, *slash; (slash = strchr(at, '/')); at = slash + 1, count++) {
    size_t length = (size_t)(slash - at);
    if (is_component(at, length, "node_modules") || (git && (is_component(at, length, "refs") || is_component(at, length, "logs")))) return false;
    git = git || is_component(at, length, ".git");
  }
  return count >= components;
}

bool is_withheld(const struct plan *plan, unsigned root, const char *path, unsigned components) {
  char absolute[8300];
  const char *at = LIST_AT(plan->roots, const char *, root);
  if (snprintf(absolute, sizeof absolute, "%s/%s", at[1] ? at : "", path) >= (int)sizeof absolute) return true;
  for (size_t i = 0; i < plan->withholding.count; i++) {
    const char *rest = below(LIST_AT(plan->withholding, const char *, i), absolute);
    if (rest && begins_there(rest, components)) return !is_listed(plan, &plan->approved, root, path);
  }
  return false;
}

/* A private file over it is a copy without secrets. */
static bool is_copied(const struct plan *plan, const char *absolute) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_FILE && strcmp(step->target, absolute) == 0) return true;
  }
  return false;
}

/* Programs are tested with made keys, which are in the repository for everyone. The configuration of a repository is not (attack: a token
 * in `vendor/library/.git/config`). */
static bool is_sample(const char *path) {
  if (strstr(path, "/.git/")) return false;
  static const char *const words[] = {"test", "tests", "testing", "testdata", "test-data", "test_data", "__tests__", "fixture", "fixtures", "__fixtures__", "spec", "specs", "e2e", "mock", "mocks", "__mocks__", "example", "examples", "sample", "samples", "demo", "demos", ".venv", "venv", "site-packages", "vendor", "third_party", "testutil", "testutils"};
  for (const char *at = path, *slash; (slash = strchr(at, '/')); at = slash + 1)
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (is_component(at, (size_t)(slash - at), words[i])) return true;
  return false;
}

static bool any_matches(const char *const *words, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (name_matches(words[i], name)) return true;
  return false;
}

/* Apart from those that are kept for secrets: src/policy/builtin/suspects.ts. */
static bool is_source(const char *path) {
  static const char *const kept[] = {"local_settings.py", "settings_local.py", "arduino_secrets.h", "*.secret.exs"};
  static const char *const words[] = {"*.ts", "*.tsx", "*.js", "*.jsx", "*.mjs", "*.cjs", "*.mts", "*.cts", "*.py", "*.rb", "*.go", "*.rs", "*.java", "*.kt", "*.c", "*.h", "*.cc", "*.cpp", "*.hpp", "*.cs", "*.swift", "*.scala", "*.ex", "*.exs", "*.md", "*.mdx", "*.rst", "*.html", "*.css", "*.scss", "*.svg", "*.lock", "*.map", "*.vue", "*.svelte", "*.tf", "*.sql", "*.proto", "*.pub", "*example*", "*sample*", "*template*", "*.dist", "*.tmpl", "*.schema.json", "*.pyc", "*.pm", "*.a", "*.o", "*.so", "*.class"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return any_matches(words, sizeof words / sizeof *words, name) && !any_matches(kept, sizeof kept / sizeof *kept, name);
}

bool may_be_secret(const struct plan *plan, unsigned root, const char *path) {
  char absolute[8300];
  const char *at = LIST_AT(plan->roots, const char *, root);
  if (snprintf(absolute, sizeof absolute, "%s/%s", at[1] ? at : "", path) >= (int)sizeof absolute) return true;
  for (size_t i = 0; i < plan->withholding.count; i++) {
    const char *rest = below(LIST_AT(plan->withholding, const char *, i), absolute);
    if (rest) return !is_sample(rest) && !is_source(rest) && !is_listed(plan, &plan->unjudged, root, path) && !is_copied(plan, absolute);
  }
  return false;
}

bool is_withholding(const struct plan *plan, const char *path) {
  for (size_t i = 0; i < plan->withholding.count; i++) {
    const char *directory = LIST_AT(plan->withholding, const char *, i);
    if (strcmp(directory, path) == 0 || below(directory, path)) return true;
  }
  return false;
}

void keep_withheld(const struct plan *plan, struct states *states) {
  unsigned kept = 0;
  for (unsigned i = 0; i < states->count; i++)
    if (LIST_AT(plan->names, struct protected_name, states->item[i].index).effect == EFFECT_WITHHELD) states->item[kept++] = states->item[i];
  states->count = kept;
}

bool is_guarded(const struct plan *plan, unsigned root, const char *path) {
  return is_listed(plan, &plan->guarded, root, path);
}

enum zone zone_below(enum zone zone, const char *entry) {
  if (zone == ZONE_EXEMPT || strcasecmp(entry, "node_modules") == 0) return ZONE_EXEMPT;
  if (zone == ZONE_GIT && (strcasecmp(entry, "refs") == 0 || strcasecmp(entry, "logs") == 0)) return ZONE_EXEMPT;
  return strcasecmp(entry, ".git") == 0 ? ZONE_GIT : zone;
}

/* Advances every name that this entry can continue or begin. Partial matches are passed down in `below`. Returns the
 * strictest effect of the full matches, -1 without a match, or TOO_MANY_NAMES if there are too many partial ones. */
int advance_names(const struct step *step, const struct states *above, struct states *below, const struct protected_name **matched) {
  const char *entry = step->entry;
  const struct beginnings *names = index_names(step->plan);
  const size_t length = strlen(entry);
  const struct list *first = &names->by_first[(uint8_t)entry[0]], *last = &names->by_last[(uint8_t)entry[length ? length - 1 : 0]];
  size_t firsts = above->count + (step->from == STEP_ANYWHERE ? first->count : 0);
  size_t all = firsts + (step->from == STEP_ANYWHERE ? last->count : 0);
  int strictest = -1;
  below->count = 0;
  for (size_t i = 0; i < all; i++) {
    struct state state = i < above->count ? above->item[i] : (struct state){i < firsts ? LIST_AT(*first, uint16_t, i - above->count) : LIST_AT(*last, uint16_t, i - firsts), 0};
    const struct protected_name *name = &LIST_AT(step->plan->names, struct protected_name, state.index);
    if (step->zone == ZONE_EXEMPT && name->outside_packages && (name->suspect || name->effect != EFFECT_WITHHELD)) continue;
    if (!name_matches(name->component[state.progress], entry)) continue;
    if (state.progress + 1u == name->components) {
      if (is_excepted(name, entry)) continue;
      if (name->suspect) {
        if (step->suspect) *step->suspect = true;
        continue;
      }
      if (name->effect == EFFECT_WITHHELD) {
        if (step->withheld && (*step->withheld == 0 || name->components < *step->withheld)) *step->withheld = name->components;
        continue;
      }
      if ((int)name->effect <= strictest) continue;
      strictest = (int)name->effect;
      if (matched) *matched = name;
    } else {
      if (below->count == MAX_STATES) return TOO_MANY_NAMES;
      below->item[below->count++] = (struct state){state.index, (uint16_t)(state.progress + 1)};
    }
  }
  return strictest;
}

/* A git directory may have any name (`project.git`, a submodule's). Names that are protected below `.git` are protected
 * in it. */
int enter_git_names(const struct plan *plan, struct states *states) {
  struct states none = {0}, below;
  if (advance_names(&(struct step){plan, ".git", ZONE_ORDINARY, STEP_ANYWHERE, NULL, NULL}, &none, &below, NULL) == TOO_MANY_NAMES || states->count + below.count > MAX_STATES) return E2BIG;
  memcpy(states->item + states->count, below.item, below.count * sizeof *below.item);
  states->count += below.count;
  return 0;
}

/* A root may itself be inside a protected name's path: the git directory of a linked worktree ends in `.git`. */
int enter_names(const struct plan *plan, const char *path, struct states *states, enum zone *zone) {
  char component[256];
  bool git = is_git_root(plan, path);
  while (*path) {
    const char *end = strchrnul(++path, '/');
    size_t length = (size_t)(end - path);
    if (length >= sizeof component) return ENAMETOOLONG;
    memcpy(component, path, length);
    component[length] = 0;
    struct states below;
    if (length && advance_names(&(struct step){plan, component, *zone, STEP_ANYWHERE, NULL, NULL}, states, &below, NULL) == TOO_MANY_NAMES) return E2BIG;
    if (length) *states = below;
    *zone = zone_below(*zone, component);
    path = end;
  }
  if (git && *zone == ZONE_ORDINARY) *zone = ZONE_GIT;
  return git ? enter_git_names(plan, states) : 0;
}
