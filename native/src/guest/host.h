/* The host's end of the microVM. It runs in the box. */
#ifndef HF_GUEST_HOST_H
#define HF_GUEST_HOST_H
/* Signals with which `host` ends if no command decided its exit. The backend reads them from the launcher's report. */
#define ENDS_FAILED 64
#define ENDS_NOT_FOUND 63
#define ENDS_NOT_EXECUTABLE 62

int run_host(int argc, char **argv);
#endif
