/* The decoded plan. Strings point into the received buffer, where they end with NUL. */
#ifndef HF_LAUNCH_PLAN_PLAN_H
#define HF_LAUNCH_PLAN_PLAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bytes.h"
#include "list.h"

enum mount_kind { M_BIND, M_OVERLAY, M_TMPFS, M_PROC, M_DEVICES, M_DIRECTORY, M_SYMLINK, M_MASK, M_FILE };
enum file_type { T_OTHER, T_FILE, T_DIRECTORY };
enum { BIND_WRITABLE = 1, BIND_FOREIGN = 2, BIND_OPTIONAL = 4, BIND_AS_ROOT = 8, BIND_HELD = 64 };
enum { DEVICES_KVM = 1 };

struct mount_step {
  enum mount_kind kind;
  enum file_type type;
  unsigned flags;
  uint32_t mode;
  uint64_t size, device, inode;
  const char *source, *target; /* the source of a file is its content: `size` arbitrary bytes */
  struct layer_directory {
    uint64_t device, inode;
    const char *path;
  } upper, work; /* of an overlay whose writes are kept; path NULL: they go to the box's private memory */
  int fd; /* a detached, idmapped tree made by outer, or -1 */
  struct layer_trees {
    int lower, layer, upper, work; /* detached, idmapped trees for an overlay whose owner is not root, and two directories of the second; or -1 */
  } trees;
};

/* In order of strictness. A pinned directory cannot be moved or removed, and a pinned file is read-only. A withheld
 * name is hidden if it exists when the box starts, unless its path is approved. The box may create others with that
 * name. */
enum effect { EFFECT_PINNED, EFFECT_READ_ONLY, EFFECT_HIDDEN, EFFECT_WITHHELD };
#define MAX_COMPONENTS 8
struct protected_name {
  enum effect effect;
  bool outside_packages;
  bool suspect; /* withheld only if the content looks like a secret */
  unsigned components, excepts;
  const char *component[MAX_COMPONENTS];
  const char *except[MAX_COMPONENTS];
};

/* ACCESS_EXECUTE has a meaning only if the plan lists the programs that can be executed. */
enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_DEVICES, ACCESS_EXECUTE };
struct landlock_rule {
  enum access_kind access;
  const char *path;
};

/* The process that handles stopped system calls: PID 1 of the box, or the supervisor. */
enum notify { NOTIFY_NONE, NOTIFY_GUARD, NOTIFY_SUPERVISOR };

enum limit_kind { L_DATA, L_PROCESSES, L_CPU_SECONDS, L_FILE_SIZE, L_OPEN_FILES, L_WALL_MS, L_GRACE_MS, L_PRIVATE_DISK, L_COUNT };

struct cgroup_step {
  const char *directory, *name, *value; /* name == NULL: create the directory and enter it */
};

/* Messages for the kernel's routes or packet filter, as bytes. If an optional step fails, the fallback listeners are
 * used. */
struct netlink_step {
  int family;
  bool optional;
  const uint8_t *bytes;
  size_t length;
};
/* A transparent listener takes connections from the packet filter. A fallback listener is opened only if there is no
 * filter. */
enum { LISTENER_UDP = 1, LISTENER_DUAL = 2, LISTENER_TRANSPARENT = 4, LISTENER_FALLBACK = 8, LISTENER_FLAGS = 15 };
struct listener_step {
  unsigned flags;
  const uint8_t *address; /* a struct sockaddr_in or sockaddr_in6 */
  size_t length;
  const char *tag; /* letters, digits and hyphens */
};
struct sysctl_step {
  const char *path, *value;
};

struct plan {
  char **argv, **envp;
  const char *cwd;
  struct list arguments, environment; /* of char * */
  struct list mounts;                 /* of struct mount_step */
  struct list roots;                  /* of const char * */
  struct list git_roots;              /* of const char *: those roots that are git directories, under any name */
  struct list shown_roots;            /* of const char *: those roots that are read-only, in which only hidden names matter */
  struct list names;                  /* of struct protected_name */
  struct list guarded;                /* of const char *: paths that are read-only although no name requires it */
  struct list released;               /* of const char *: paths that are not protected although their name is */
  struct list withholding;            /* of const char *: directories below which names are withheld, and nowhere else */
  struct list approved;               /* of const char *: paths that are shown although their name is withheld */
  struct list unjudged;               /* of const char *: paths that are shown even if they hold a secret */
  struct list rules;                  /* of struct landlock_rule */
  struct list cgroups;                /* of struct cgroup_step */
  struct list helper;                 /* of const char *: arguments of bubblewrap, if it builds the box */
  struct list netlink;                /* of struct netlink_step */
  struct list listeners;              /* of struct listener_step: none means a closed network */
  struct list sysctls;                /* of struct sysctl_step */
  struct list data;                   /* of struct bytes: contents that the helper reads from descriptors */
  const uint8_t *bytes;               /* the encoded plan with its header */
  size_t length;
  uint32_t minimum_landlock;
  bool plain; /* no namespaces and no mounts: the root is the host's */
  const uint8_t *plain_filter; /* a second filter, for everything that namespaces would enforce */
  size_t plain_length;
  bool lists_executables; /* only programs that rules of ACCESS_EXECUTE name can be executed */
  bool installed_only; /* no program runs, or is mapped, from a mount that the box can write to */
  bool nests; /* the command confines another one: command/nest.c */
  const uint8_t *filter; /* struct sock_filter[], 8 bytes each */
  size_t filter_length;
  enum notify notify;
  const uint8_t *notify_filter; /* a second program, for the calls that stop */
  size_t notify_length;
  uint64_t limit[L_COUNT]; /* UINT64_MAX: unlimited */
  const char *seen;   /* the file that keeps the directories which a launcher saw, for the next one; or NULL */
  const char *keeper; /* directory of the layer, in which another process keeps its overlays mounted */
  bool tap_stderr;
  bool forwards;    /* the supervisor may ask for connections to ports of the box */
  bool warm;        /* the command comes later, on the control descriptor; `cwd` is where it will probably start */
  bool held;        /* the command waits for the supervisor */
  uint32_t absent;  /* leading entries of PATH that do not have the command */
  struct list hits; /* of struct hit: names that appeared between building a warm box and using it */
};

bool has_network(const struct plan *plan);
bool waits_confined(const struct plan *plan); /* whether the command is forked and confined before it is known */
bool looks_at_new_names(const struct plan *plan); /* whether calls that create names stop; such a box cannot create a hidden name */
bool is_git_root(const struct plan *plan, const char *path);
bool is_shown_root(const struct plan *plan, unsigned root);
const struct layer_directory *staged_upper(const struct plan *plan, unsigned root); /* of the layer of a root; NULL without one */
/* The box's writes in it do not reach the host, so new entries on the host come from someone else. */
bool is_staged_root(const struct plan *plan, unsigned root);
#endif
