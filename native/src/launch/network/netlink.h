/* Routes and packet filters, as messages to the kernel. */
#ifndef HF_LAUNCH_NETWORK_NETLINK_H
#define HF_LAUNCH_NETWORK_NETLINK_H
struct netlink_step;
int exchange(const struct netlink_step *step); /* 0 or an errno */
#endif
