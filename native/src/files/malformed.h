/* Ends a worker that received an invalid request. */
#ifndef HF_FILES_MALFORMED_H
#define HF_FILES_MALFORMED_H
_Noreturn void malformed(const char *what);
#endif
