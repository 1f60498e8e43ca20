/* The end of the microVM that runs in the box. */
#ifndef HF_GUEST_HOST_H
#define HF_GUEST_HOST_H
/* Signals by which `host` ends where no command has had its say; the backend reads them from the launcher's report. */
#define ENDS_FAILED 64
#define ENDS_NOT_FOUND 63
#define ENDS_NOT_EXECUTABLE 62

int run_host(int argc, char **argv);
#endif
