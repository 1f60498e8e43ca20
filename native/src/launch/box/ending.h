/* How a box ends as a whole. */
#ifndef HF_LAUNCH_BOX_ENDING_H
#define HF_LAUNCH_BOX_ENDING_H
#include <sys/types.h>

struct plan;
/* What ends the rest of the box: the kernel when PID 1 goes, a signal to all when PID 1 is the helper's, or its sub-reaper. */
enum ending { ENDS_WITH_INIT, ENDS_BY_SIGNAL, ENDS_BY_REAPING };
void end_rest(const struct plan *plan, enum ending ending);
void end_plain(const struct plan *plan);
/* No partial box: started processes end, and created groups go. */
void undo_box(const struct plan *plan, pid_t first);
void undo_plain(const struct plan *plan, pid_t first);
#endif
