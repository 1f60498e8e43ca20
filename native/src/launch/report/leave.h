/* The separation of outer from its supervisor. */
#ifndef HF_LAUNCH_REPORT_LEAVE_H
#define HF_LAUNCH_REPORT_LEAVE_H
#include <sys/types.h>

/* From a supervisor that is no parent: it says what to print, and the status to end with. `child`: its number where this process has started
 * it, and waits for its end; 0 elsewhere. */
void expect_last_words(pid_t child);
int take_leave(int status);   /* outer's last step: its exit status */
#endif
