/* Forks launchers ahead of their boxes. */
#ifndef HF_LAUNCH_NURSERY_H
#define HF_LAUNCH_NURSERY_H
void run_nursery(void);
#endif
