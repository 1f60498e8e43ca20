/* How outer parts from its supervisor. */
#ifndef HF_LAUNCH_REPORT_LEAVE_H
#define HF_LAUNCH_REPORT_LEAVE_H
void expect_last_words(void); /* from a supervisor that is no parent: it says what to print, and the status to end with */
int take_leave(int status);   /* the last that outer does: what it ends with */
#endif
