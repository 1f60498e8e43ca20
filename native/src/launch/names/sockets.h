/* Sockets of the host that lie in what the box is shown. */
#ifndef HF_LAUNCH_NAMES_SOCKETS_H
#define HF_LAUNCH_NAMES_SOCKETS_H
#include <stdbool.h>

bool listens(int parent, const char *entry);
bool listens_at(int place); /* open with O_PATH */
#endif
