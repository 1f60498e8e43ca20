/* The end of a worker that was sent what is no request. */
#ifndef HF_FILES_MALFORMED_H
#define HF_FILES_MALFORMED_H
_Noreturn void malformed(const char *what);
#endif
