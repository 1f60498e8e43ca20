/* The first line of a script. */
#ifndef HF_GUEST_SCRIPT_H
#define HF_GUEST_SCRIPT_H
#include <stdbool.h>
#include <stddef.h>

#define SCRIPT_START 256 /* BINPRM_BUF_SIZE: how far the kernel reads */
/* Writes the path of the interpreter, with its NUL. False if the kernel would not find one. */
bool interpreter_of(const char *start, size_t length, char path[SCRIPT_START]);
#endif
