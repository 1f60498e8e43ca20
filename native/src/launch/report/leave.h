/* The separation of outer from its supervisor. */
#ifndef HF_LAUNCH_REPORT_LEAVE_H
#define HF_LAUNCH_REPORT_LEAVE_H
#include <sys/types.h>

/* For a supervisor that is not the parent: it sends the text to print and the exit status. `child`: its PID if this
 * process has started it and has to wait for its end, otherwise 0. */
void expect_last_words(pid_t child);
int take_leave(int status);   /* outer's last step; returns its exit status */
#endif
