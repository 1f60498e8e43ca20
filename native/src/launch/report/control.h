/* What all of the launcher's processes know about the supervisor's descriptors, and how they end when they give up. */
#ifndef HF_LAUNCH_REPORT_CONTROL_H
#define HF_LAUNCH_REPORT_CONTROL_H
#define CONTROL_FD 3
/* Where descriptors for the supervisor are sent. */
#define HANDLES_FD 4
#define EXIT_HOLDFAST 125
#endif
