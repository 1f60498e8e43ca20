/* Frames to the supervisor. */
#ifndef HF_LAUNCH_REPORT_REPORT_H
#define HF_LAUNCH_REPORT_REPORT_H
#include <stdbool.h>
#include <stddef.h>

enum report { R_STARTED = 1, R_FAILED, R_EXIT, R_PROTECTED, R_APPEARED, R_TAIL, R_TIMEOUT, R_STOPPED /* init to outer only */, R_LISTENER, R_REFUSED, R_FOUND, R_HANDLE, R_COVERED, R_LENT /* init to outer only */ };
void report_to(int fd);           /* where frames go from now on: the control fd in outer, the status socket in init */
bool reports_to_supervisor(void); /* and not to outer */
void report(enum report kind, const void *payload, size_t length);
bool report_soon(enum report kind, const void *payload, size_t length); /* false if it would have to wait */
bool report_descriptor(enum report kind, int fd);                        /* init to outer, because only outer accepts one */
void report_failure(const char *stage, const char *path, int error);
#endif
