/* The guest's network. */
#ifndef HF_GUEST_INIT_NETWORK_H
#define HF_GUEST_INIT_NETWORK_H
struct start;
void open_interfaces(const struct start *start);
#endif
