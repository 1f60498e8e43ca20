/* Connections from outside to ports of the box. */
#ifndef HF_LAUNCH_NETWORK_PORT_FORWARD_H
#define HF_LAUNCH_NETWORK_PORT_FORWARD_H
#include <stdint.h>

void connect_forward(uint16_t port, uint32_t id); /* init: hands the supervisor a connection to a port of the box's loopback */
#endif
