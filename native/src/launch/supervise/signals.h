/* The effect of signals on outer, and on the job that a terminal stops and continues. */
#ifndef HF_LAUNCH_SUPERVISE_SIGNALS_H
#define HF_LAUNCH_SUPERVISE_SIGNALS_H
struct watch;
void hear_signal(struct watch *watch);
void stop_job(struct watch *watch);
#endif
