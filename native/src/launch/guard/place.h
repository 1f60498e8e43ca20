/* A new name: its directory, and its absolute path. */
#ifndef HF_LAUNCH_GUARD_PLACE_H
#define HF_LAUNCH_GUARD_PLACE_H
#define LONGEST_PATH 4096
struct place {
  int directory;
  char path[2 * LONGEST_PATH];
};
#endif
