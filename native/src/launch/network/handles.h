/* Descriptors for the supervisor, in the form in which Node accepts them from a child. */
#ifndef HF_LAUNCH_NETWORK_HANDLES_H
#define HF_LAUNCH_NETWORK_HANDLES_H
#include <stdbool.h>

void close_handles(void);
void use_handles(int fd); /* where descriptors for the supervisor are sent */
int handles(void);
bool send_handle(const char *text, int fd);
bool send_text(const char *text);
#endif
