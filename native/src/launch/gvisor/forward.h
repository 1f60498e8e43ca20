/* Passes signals to the command for a runtime that does not. */
#ifndef HF_LAUNCH_GVISOR_FORWARD_H
#define HF_LAUNCH_GVISOR_FORWARD_H
#include <signal.h>

_Noreturn void run_forwarder(char **arguments, sigset_t mask);
#endif
