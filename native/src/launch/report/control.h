/* The supervisor's descriptors, which all of the launcher's processes know, and the end of a process that gives up. */
#ifndef HF_LAUNCH_REPORT_CONTROL_H
#define HF_LAUNCH_REPORT_CONTROL_H
#define CONTROL_FD 3
/* Channel for descriptors to the supervisor. */
#define HANDLES_FD 4
#define EXIT_HOLDFAST 125
#endif
