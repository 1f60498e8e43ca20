/* Repositories that begin in this box. */
#ifndef HF_LAUNCH_GUARD_REPOSITORIES_H
#define HF_LAUNCH_GUARD_REPOSITORIES_H
#include <stdbool.h>

struct place;
void remember_begin(void);                        /* before anything runs */
void note_repository(const struct place *place); /* `place` ends in .git */
bool is_in_new_repository(const char *path);
#endif
