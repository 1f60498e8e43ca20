/* Decides by its content whether a file under an ordinary name holds a secret. */
#ifndef HF_LAUNCH_NAMES_SECRET_H
#define HF_LAUNCH_NAMES_SECRET_H
#include <stdbool.h>
#include <stddef.h>

bool holds_secret(int parent, const char *entry, size_t *judged); /* `judged`: bytes that were read for this plan so far */
#endif
