/* Reads directories for a walk. */
#ifndef HF_LAUNCH_NAMES_LISTING_H
#define HF_LAUNCH_NAMES_LISTING_H

#define MAX_DEPTH 512

/* One buffer for each depth of a walk, created when the walk first gets that deep. A buffer for each directory would
 * mean a mapping for each directory, which takes three quarters of the time of a walk. */
struct listing {
  char *buffer[MAX_DEPTH + 1];
};

/* Reads the next entries of `fd` into `listing->buffer[depth]`. Returns their bytes, 0 at the end, or -1 with errno. */
long read_entries(struct listing *listing, int depth, int fd);
/* The listing may be used again. */
void free_listing(struct listing *listing);

#endif
