/* The first line of a script. */
#ifndef HF_GUEST_SCRIPT_H
#define HF_GUEST_SCRIPT_H
#include <stdbool.h>
#include <stddef.h>

#define SCRIPT_START 256 /* BINPRM_BUF_SIZE: as far as the kernel looks */
/* Writes the path of the interpreter, with its NUL. False where the kernel finds none. */
bool interpreter_of(const char *start, size_t length, char path[SCRIPT_START]);
#endif
