/* The protected names. */
#ifndef HF_LAUNCH_NAMES_NAMES_H
#define HF_LAUNCH_NAMES_NAMES_H
#include <stdbool.h>
#include <stdint.h>
#include "../plan/plan.h"

#define MAX_STATES 256
#define TOO_MANY_NAMES -2
/* The directories above have matched `progress` components of name `index`. */
struct state {
  uint16_t index, progress;
};
struct states {
  unsigned count;
  struct state item[MAX_STATES];
};
/* In packages, and in references of git, no tool obeys a file by its name: a branch may be called `jenkinsfile`. */
enum zone { ZONE_ORDINARY, ZONE_GIT, ZONE_EXEMPT };
enum zone zone_below(enum zone zone, const char *entry); /* of a directory with this name */
/* A name may begin at any component, or only continue from those above. */
enum step_from { STEP_ANYWHERE, STEP_FROM_ABOVE };
struct step {
  const struct plan *plan;
  const char *entry;
  enum zone zone;
  enum step_from from;
  bool *suspect;      /* whether a name matched that is withheld by its content; NULL if the caller does not need it */
  unsigned *withheld; /* components of the shortest withheld name that matched as a whole; NULL if the caller does not need it */
};
int advance_names(const struct step *step, const struct states *above, struct states *below, const struct protected_name **matched);
int enter_names(const struct plan *plan, const char *path, struct states *states, enum zone *zone); /* 0 or an errno */
int enter_git_names(const struct plan *plan, struct states *states);                            /* the same */
bool name_matches(const char *pattern, const char *name);
bool is_released(const struct plan *plan, unsigned root, const char *path);
bool is_withheld(const struct plan *plan, unsigned root, const char *path, unsigned components); /* of a path that ends in a withheld name with this many components; false if it is approved */
bool may_be_secret(const struct plan *plan, unsigned root, const char *path);                        /* whether the content of a suspect name decides */
bool is_withholding(const struct plan *plan, const char *path);                                  /* whether names are withheld at or below an absolute path */
void keep_withheld(const struct plan *plan, struct states *states);                              /* drops all others */
bool is_guarded(const struct plan *plan, unsigned root, const char *path);
#endif
