/* The network of a box. */
#ifndef HF_LAUNCH_NETWORK_NETWORK_H
#define HF_LAUNCH_NETWORK_NETWORK_H
struct plan;
void loopback_up(void);
void open_network(const struct plan *plan);  /* in the namespace of the box, with its capabilities */
void enter_network(const struct plan *plan); /* creates that namespace for bubblewrap */
#endif
