/* Landlock in the guest's kernel. Landlock identifies a file by its inode, but 9p creates a new inode at each look-up
 * of a name that is not held open. So init keeps every listed file open for as long as the guest runs. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "init_programs.h"
#include "../kernel.h"
#include "give_up.h"
#include "start.h"

int list_programs(const struct start *start) {
  struct k_landlock_ruleset_attr attr = {.handled_access_fs = K_LL_EXECUTE};
  if (!start->number[N_LISTED]) return -1;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr.handled_access_fs, 0);
  if (ruleset < 0) give_up("list", "programs");
  for (size_t i = 0; i < start->programs.count; i++) {
    const char *path = start->programs.items[i];
    int held = open(path, O_PATH | O_CLOEXEC);
    if (held < 0 && errno == ENOENT) continue;
    struct k_landlock_path_beneath rule = {K_LL_EXECUTE, held};
    if (held < 0 || syscall(SYS_landlock_add_rule, ruleset, K_LL_RULE_PATH_BENEATH, &rule, 0)) give_up("list", path);
  }
  return ruleset;
}

bool allow_programs(int ruleset) {
  return ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}
