/* The command, as the guest is told about it. */
#ifndef HF_GUEST_HOST_COMMAND_H
#define HF_GUEST_HOST_COMMAND_H
#include <stdbool.h>
#include "start.h"

/* False if the kernel does not tell. */
bool describe_command(struct start *start, char **argv);
#endif
