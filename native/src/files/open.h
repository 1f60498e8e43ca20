/* Opens the path of a request. */
#ifndef HF_FILES_OPEN_H
#define HF_FILES_OPEN_H
#include <stdbool.h>
#include <sys/types.h>

/* Never waits for the other end of a FIFO, and never opens a channel of this process. -1 and errno. */
int open_checked(int directory, const char *path, int flags, mode_t mode);
/* Like `mkdir -p` for the path above the last component. Returns a descriptor of that directory, and where the name
 * begins. */
int open_parent(const char *path, const char **name, bool make);
int make_directories(const char *path, mode_t mode); /* 0, or -1 and errno */
void note_channels(void);
void random_name(char *to, unsigned length); /* letters and digits, no NUL */
#endif
