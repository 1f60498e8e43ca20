/* Landlock rules for the command. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "landlock.h"
#include "../../kernel.h"
#include "../paths/source.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "handover.h"

int landlock_abi(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, K_LL_CREATE_RULESET_VERSION);
  return abi < 0 ? 0 : (int)abi;
}

/* Rights that each ABI knows (kernel 5.13, 5.19, 6.2, 6.10). Requesting an unknown right is EINVAL. */
static uint64_t filesystem_rights(int abi) {
  return abi >= 5 ? 0xffff : abi >= 3 ? 0x7fff : abi >= 2 ? 0x3fff : 0x1fff;
}

static uint64_t rights_of(enum access_kind access, uint64_t known) {
  const uint64_t read = K_LL_EXECUTE | K_LL_READ_FILE | K_LL_READ_DIR;
  const uint64_t devices = read | K_LL_WRITE_FILE | K_LL_TRUNCATE | K_LL_IOCTL_DEV;
  if (access == ACCESS_EXECUTE) return known & K_LL_EXECUTE;
  return known & (access == ACCESS_READ ? read : access == ACCESS_DEVICES ? devices : ~0ull);
}

static void allow_fd(int ruleset, int fd, uint64_t rights, const char *what) {
  const uint64_t of_files = K_LL_EXECUTE | K_LL_WRITE_FILE | K_LL_READ_FILE | K_LL_TRUNCATE | K_LL_IOCTL_DEV;
  struct stat st;
  if (fstat(fd, &st)) fail("stat Landlock path", what, errno);
  struct k_landlock_path_beneath rule = {S_ISDIR(st.st_mode) ? rights : rights & of_files, fd};
  if (syscall(SYS_landlock_add_rule, ruleset, K_LL_RULE_PATH_BENEATH, &rule, 0) && errno != EBADFD && errno != EBADF) fail("add Landlock rule", what, errno);
}

/* One of the command's first three descriptors, unless it is the file of outer's caller that outer's pipe replaces. */
static int given(const struct handover *hand, int fd) {
  bool piped = hand->output >= 0 && (fd == 2 || (fd == 1 && hand->merged));
  return piped ? hand->output : fd;
}

/* stdin, stdout and stderr may be files outside the box. They may be reopened (/dev/stderr, /proc/self/fd/1), but only
 * with the rights of the inherited descriptor: a read-only stdin stays read-only. */
static void allow_inherited(int ruleset, uint64_t known, const struct handover *hand) {
  for (int number = 0; number <= 2; number++) {
    int fd = given(hand, number), flags = fcntl(fd, F_GETFL);
    struct stat st;
    if (flags < 0 || fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISCHR(st.st_mode))) continue;
    int mode = flags & O_ACCMODE;
    uint64_t rights = (mode != O_WRONLY ? K_LL_READ_FILE : 0) | (mode != O_RDONLY ? K_LL_WRITE_FILE | K_LL_TRUNCATE : 0);
    rights = known & (rights | (S_ISCHR(st.st_mode) ? K_LL_IOCTL_DEV : 0));
    if (rights) allow_fd(ruleset, fd, rights, "inherited descriptor");
  }
}

/* The private root confines reading, because nothing else exists in it. Landlock would only make each open slower (by
 * 0.7 us of 1.9, measured). But a file or directory of the host that is inherited as stdin, stdout or stderr can be
 * reopened through /proc/self/fd with more rights than the descriptor has. In that case every right is handled.
 * Execution is handled if programs are listed, which does not slow down opens. */
static uint64_t handled_rights(int abi, uint64_t listed, const struct handover *hand) {
  const uint64_t reading = K_LL_EXECUTE | K_LL_READ_FILE | K_LL_READ_DIR | K_LL_TRUNCATE;
  uint64_t known = filesystem_rights(abi);
  for (int fd = 0; fd <= 2; fd++) {
    struct stat st;
    if (fstat(given(hand, fd), &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) return known;
  }
  return known & (~reading | listed);
}

static int scopes_alone(int abi) {
  struct k_landlock_ruleset_attr attr = {.scoped = K_LL_SCOPE_ABSTRACT_UNIX_SOCKET | K_LL_SCOPE_SIGNAL};
  if (abi < 6) return -1;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
  if (ruleset < 0) fail("create Landlock ruleset", "", errno);
  return ruleset;
}

/* Attack: a file that was opened for reading is reopened for writing, or truncated by its name below /proc, which
 * Landlock can refuse since ABI 3. */
static void refuse_unheld_files(int abi, const struct handover *hand) {
  static const char *const names[] = {"stdin", "stdout", "stderr"};
  for (int number = 0; number <= 2; number++) {
    int fd = given(hand, number), flags = fcntl(fd, F_GETFL);
    struct stat st;
    if (flags < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) continue;
    int needed = (flags & O_ACCMODE) == O_RDWR ? 0 : (flags & O_ACCMODE) == O_WRONLY ? 1 : 3;
    if (abi < needed) fail("hold inherited file", names[number], ENOSYS);
  }
}

/* Attack: a file of the host is stdin or stdout, and its mount allows execution. The box could write output to it and
 * run it through /proc/self/fd. */
static void refuse_runnable_files(const struct handover *hand) {
  static const char *const names[] = {"stdin", "stdout", "stderr"};
  for (int number = 0; number <= 2; number++) {
    int fd = given(hand, number);
    struct stat st;
    struct statvfs mounted;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) continue;
    if (fstatvfs(fd, &mounted) || !(mounted.f_flag & ST_NOEXEC)) fail("inherited file could run", names[number], EACCES);
  }
}

int landlock_ruleset(const struct plan *plan, int abi, const struct handover *hand) {
  if ((uint32_t)abi < plan->minimum_landlock) fail("Landlock ABI", "", ENOSYS);
  refuse_unheld_files(abi, hand);
  if (plan->installed_only) refuse_runnable_files(hand);
  if (abi == 0) return -1;
  /* A process under a rule about files may not mount. */
  if (plan->nests) return scopes_alone(abi);
  /* Rights that other kinds of rules grant as a side effect. If programs are listed, they do not grant execution. */
  uint64_t listed = plan->lists_executables ? K_LL_EXECUTE : 0, known = plan->plain ? filesystem_rights(abi) : handled_rights(abi, listed, hand);
  struct k_landlock_ruleset_attr attr = {.handled_access_fs = known};
  if (abi >= 6) attr.scoped = K_LL_SCOPE_ABSTRACT_UNIX_SOCKET | K_LL_SCOPE_SIGNAL;
  if (abi >= 4 && plan->plain) attr.handled_access_net = K_LL_BIND_TCP | K_LL_CONNECT_TCP;
  size_t size = abi >= 6 ? sizeof attr : abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
  if (ruleset < 0) fail("create Landlock ruleset", "", errno);
  for (size_t i = 0; i < plan->rules.count; i++) {
    const struct landlock_rule *rule = &LIST_AT(plan->rules, struct landlock_rule, i);
    int fd = plan->plain ? open_granted(plan, rule->path) : open(rule->path, O_PATH | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || rule->access == ACCESS_EXECUTE)) continue; /* Paths that no rule grants are refused. */
    if (fd < 0) fail("open Landlock path", rule->path, errno);
    uint64_t rights = rights_of(rule->access, rule->access == ACCESS_EXECUTE ? known : known & ~listed);
    if (rights) allow_fd(ruleset, fd, rights, rule->path);
    close(fd);
  }
  /* If the supervisor serves all calls, it reopens files itself. */
  if (!plan->plain) allow_inherited(ruleset, known, hand);
  return ruleset;
}
