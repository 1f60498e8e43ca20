/* The supervisor's descriptors, which all processes of the launcher know, and the exit of a process that gives up. */
#ifndef HF_LAUNCH_REPORT_CONTROL_H
#define HF_LAUNCH_REPORT_CONTROL_H
#define CONTROL_FD 3
/* Channel on which descriptors go to the supervisor. */
#define HANDLES_FD 4
#define EXIT_HOLDFAST 125
#endif
