/* The content of files, and their attributes. */
#ifndef HF_FILES_DATA_H
#define HF_FILES_DATA_H
#include <stdint.h>
#include <sys/types.h>

ssize_t write_all(int fd, const uint8_t *bytes, size_t length, off_t offset); /* offset -1: at the file's position */
/* Copies content with reflinks and holes, from the start of one file to another, empty one. 0, or -1 and errno. */
int copy_content(int from, int to);
int copy_attributes(int from, int to); /* extended ones, as far as the file system and the caller's rights allow */
#endif
