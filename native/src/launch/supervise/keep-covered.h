/* Outer's part in keeping names covered. */
#ifndef HF_LAUNCH_SUPERVISE_KEEP_COVERED_H
#define HF_LAUNCH_SUPERVISE_KEEP_COVERED_H
struct watch;
void take_lent(struct watch *watch, int descriptor);
void keep_covered(struct watch *watch); /* starts the warden once it is due */
void hear_warden(struct watch *watch);
void end_warden(struct watch *watch);
#endif
