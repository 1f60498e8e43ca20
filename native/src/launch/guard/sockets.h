/* Connections and messages to Unix sockets by path. */
#ifndef HF_LAUNCH_GUARD_SOCKETS_H
#define HF_LAUNCH_GUARD_SOCKETS_H
#include <stdbool.h>

struct plan;
struct k_notification;
void meet_inherited_sockets(void); /* while the first three descriptors are those of the command */
bool is_socket_call(const struct k_notification *call);
void serve_socket_call(int listener, const struct plan *plan, const struct k_notification *call);
#endif
