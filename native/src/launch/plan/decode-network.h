/* Decodes one step of an open network. NULL, or its fault. */
#ifndef HF_LAUNCH_PLAN_DECODE_NETWORK_H
#define HF_LAUNCH_PLAN_DECODE_NETWORK_H
#include "cursor.h"

struct plan;
const char *decode_netlink(struct plan *plan, unsigned flags, struct cursor *in);
const char *decode_listener(struct plan *plan, unsigned flags, struct cursor *in);
const char *decode_sysctl(struct plan *plan, struct cursor *in);
#endif
