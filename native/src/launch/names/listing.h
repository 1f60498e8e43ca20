/* Reads directories for a walk. */
#ifndef HF_LAUNCH_NAMES_LISTING_H
#define HF_LAUNCH_NAMES_LISTING_H

#define MAX_DEPTH 512

/* One buffer for each depth of a walk, made when the walk first comes that deep. One for each directory would be a mapping for each
 * directory: three quarters of the time of a walk. */
struct listing {
  char *buffer[MAX_DEPTH + 1];
};

/* The next entries of `fd` into `listing->buffer[depth]`. Returns their bytes, 0 at the end, or -1 with errno. */
long read_entries(struct listing *listing, int depth, int fd);
/* It may be used again. */
void free_listing(struct listing *listing);

#endif
