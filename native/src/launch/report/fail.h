/* Ends a launcher that cannot continue: no box ever runs with a part missing. */
#ifndef HF_LAUNCH_REPORT_FAIL_H
#define HF_LAUNCH_REPORT_FAIL_H
#include <sys/types.h>

struct plan;
/* Ends a started box. */
struct undo {
  void (*run)(const struct plan *plan, pid_t first);
  const struct plan *plan;
  pid_t first; /* the first process of the box */
};
void undo_on_failure(struct undo undo); /* outer, once it has a box: `fail` then ends the box too */
_Noreturn void fail(const char *stage, const char *path, int error);
#endif
