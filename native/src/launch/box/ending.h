/* The end of a whole box. */
#ifndef HF_LAUNCH_BOX_ENDING_H
#define HF_LAUNCH_BOX_ENDING_H
#include <sys/types.h>

struct plan;
/* The way to end the rest of the box. The kernel ends it after PID 1. If PID 1 belongs to the helper, or to its
 * sub-reaper, a signal to all processes ends it. */
enum ending { ENDS_WITH_INIT, ENDS_BY_SIGNAL, ENDS_BY_REAPING };
void end_rest(const struct plan *plan, enum ending ending);
void end_plain(const struct plan *plan);
/* Leaves no partial box: started processes are ended, and created groups are removed. */
void undo_box(const struct plan *plan, pid_t first);
void undo_plain(const struct plan *plan, pid_t first);
#endif
