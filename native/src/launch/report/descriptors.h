/* Sends one message with a descriptor, or receives one of at most `size` bytes, with -1 if it has no descriptor. */
#ifndef HF_LAUNCH_REPORT_DESCRIPTORS_H
#define HF_LAUNCH_REPORT_DESCRIPTORS_H
#include <stdbool.h>
#include <sys/types.h>

bool send_with_fd(int socket, int fd, const void *bytes, size_t length);
ssize_t receive_with_fd(int socket, int *fd, void *bytes, size_t size, int flags);
#endif
