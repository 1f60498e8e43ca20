/* Whether a new name may appear. */
#ifndef HF_LAUNCH_GUARD_JUDGE_H
#define HF_LAUNCH_GUARD_JUDGE_H
#include <stdbool.h>
#include <sys/types.h>
#include "caller-paths.h"
#include "judge-tree.h"

struct plan;
enum creation { CREATES_FILE, CREATES_DIRECTORY, CREATES_OTHER, MOVES };
struct new_name {
  enum creation creation;
  bool follows; /* a symlink at the end of the path is not an obstacle */
  bool exchanges;
  mode_t moved; /* mode of `old`, or 0 */
  struct target old, new; /* `old` is moved */
};
bool stays_on_host(const struct plan *plan, const char *path); /* a writable part of the host */
int root_of(const struct plan *plan, const char *path);        /* the number of the writable root around it, or -1 */
enum judgement judge_new_name(const struct plan *plan, struct new_name *name, struct place *place);
#endif
