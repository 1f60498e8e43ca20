/* One message with a descriptor; one of at most `size` bytes, and -1 where it has none. */
#ifndef HF_LAUNCH_REPORT_DESCRIPTORS_H
#define HF_LAUNCH_REPORT_DESCRIPTORS_H
#include <stdbool.h>
#include <sys/types.h>

bool send_with_fd(int socket, int fd, const void *bytes, size_t length);
ssize_t receive_with_fd(int socket, int *fd, void *bytes, size_t size, int flags);
#endif
