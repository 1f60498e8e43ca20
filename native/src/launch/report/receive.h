/* Messages of the supervisor. */
#ifndef HF_LAUNCH_REPORT_RECEIVE_H
#define HF_LAUNCH_REPORT_RECEIVE_H
#include <stddef.h>
#include <stdint.h>

void receive(uint8_t *bytes, size_t length); /* from the control descriptor, or a failure */
#endif
