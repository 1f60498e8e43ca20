/* The supervisor's orders to outer. */
#ifndef HF_LAUNCH_SUPERVISE_ORDERS_H
#define HF_LAUNCH_SUPERVISE_ORDERS_H
struct watch;
void hear_supervisor(struct watch *watch);
#endif
