/* Sockets of the host below the box's paths. */
#ifndef HF_LAUNCH_NAMES_SOCKETS_H
#define HF_LAUNCH_NAMES_SOCKETS_H
#include <stdbool.h>

bool listens(int parent, const char *entry);
bool listens_at(int place); /* open with O_PATH */
#endif
