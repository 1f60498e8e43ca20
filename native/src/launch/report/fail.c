/* Reports the stage, the errno and the path of a failure, once the box has ended completely. */
#include <unistd.h>
#include "fail.h"
#include "control.h"
#include "leave.h"
#include "report.h"

static struct undo begun;

void undo_on_failure(struct undo undo) {
  begun = undo;
}

_Noreturn void fail(const char *stage, const char *path, int error) {
  if (begun.run) begun.run(begun.plan, begun.first);
  report_failure(stage, path, error);
  _exit(take_leave(EXIT_HOLDFAST));
}
