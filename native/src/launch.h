/*
 * holdfast-launch: builds one box from an encoded Plan and supervises it.
 *
 * Processes: `outer` (host namespaces, waits, sweeps, restores the terminal) -> `init` (PID 1 of the box, made with all
 * namespaces at once) -> the command. Nothing here decides policy: the Plan says what to mount, the kernel enforces it.
 * Every failure before the command's exec ends in `fail`, which reports the stage, the errno and the path, and exits;
 * there is no path on which a box runs with a part missing.
 */
#ifndef HF_LAUNCH_H
#define HF_LAUNCH_H
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#define CONTROL_FD 3
#define EXIT_HOLDFAST 125

/* ---- plan.c: the decoded Plan. Strings point into the received buffer and are NUL-terminated there. ---- */

enum mount_kind { M_BIND, M_OVERLAY, M_TMPFS, M_PROC, M_DEVICES, M_DIRECTORY, M_SYMLINK, M_MASK, M_FILE };
enum file_type { T_OTHER, T_FILE, T_DIRECTORY };
enum { BIND_WRITABLE = 1, BIND_FOREIGN = 2, BIND_OPTIONAL = 4 };
enum { DEVICES_KVM = 1 };

struct mount_step {
  enum mount_kind kind;
  enum file_type type;
  unsigned flags;
  uint32_t mode;
  uint64_t size, device, inode;
  const char *source, *target; /* the source of a file is its content, `size` bytes that may be anything */
  struct layer_directory {
    uint64_t device, inode;
    const char *path;
  } upper, work; /* of an overlay whose writes are kept; path NULL: they go to the box's private memory */
  int fd; /* a detached, idmapped tree made by outer, or -1 */
};

/* In order of strictness. A pinned directory cannot be moved or removed; a pinned file is read-only. What is withheld is
 * hidden if it is there when the box starts, unless its path is approved; the box may make others of that name. */
struct hit;
enum effect { EFFECT_PINNED, EFFECT_READ_ONLY, EFFECT_HIDDEN, EFFECT_WITHHELD };
#define MAX_PLAN (64u << 20)
#define MAX_COMPONENTS 8
struct protected_name {
  enum effect effect;
  bool outside_packages;
  unsigned components, excepts;
  const char *component[MAX_COMPONENTS];
  const char *except[MAX_COMPONENTS];
};

/* ACCESS_EXECUTE says something only where the plan lists what can be executed. */
enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_DEVICES, ACCESS_EXECUTE };
struct landlock_rule {
  enum access_kind access;
  const char *path;
};

/* Who looks at system calls that stop: PID 1 of the box, or the supervisor. */
enum notify { NOTIFY_NONE, NOTIFY_GUARD, NOTIFY_SUPERVISOR };

enum limit_kind { L_DATA, L_PROCESSES, L_CPU_SECONDS, L_FILE_SIZE, L_OPEN_FILES, L_WALL_MS, L_GRACE_MS, L_PRIVATE_DISK, L_COUNT };

struct cgroup_step {
  const char *directory, *name, *value; /* name == NULL: make the directory and enter it */
};

/* Messages to the kernel's routes or packet filter, as bytes. An optional step that fails selects the fallback listeners. */
struct netlink_step {
  int family;
  bool optional;
  const uint8_t *bytes;
  size_t length;
};
/* A transparent listener takes what the packet filter hands it; a fallback one is opened only where there is no filter. */
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

struct bytes {
  const uint8_t *at;
  size_t length;
};

struct list {
  void *items;
  size_t count, size;
};

struct plan {
  char **argv, **envp;
  const char *cwd;
  struct list arguments, environment; /* of char * */
  struct list mounts;                 /* of struct mount_step */
  struct list roots;                  /* of const char * */
  struct list git_roots;              /* of const char *: those roots that are git directories, whatever they are called */
  struct list shown_roots;            /* of const char *: those roots that are read-only, in which only hidden names matter */
  struct list names;                  /* of struct protected_name */
  struct list guarded;                /* of const char *: paths that are read-only although no name says so */
  struct list released;               /* of const char *: paths that are left alone although their name is protected */
  struct list withholding;            /* of const char *: directories below which names are withheld, and nowhere else */
  struct list approved;               /* of const char *: paths that are shown although their name is withheld */
  struct list rules;                  /* of struct landlock_rule */
  struct list cgroups;                /* of struct cgroup_step */
  struct list helper;                 /* of const char *: words of bubblewrap, when that builds the box */
  struct list netlink;                /* of struct netlink_step */
  struct list listeners;              /* of struct listener_step: none means a closed network */
  struct list sysctls;                /* of struct sysctl_step */
  struct list data;                   /* of struct bytes: contents that the helper reads from descriptors */
  const uint8_t *bytes;               /* the encoded plan with its header */
  size_t length;
  uint32_t minimum_landlock;
  bool plain; /* no namespaces and no mounts: the root is the host's */
  const uint8_t *plain_filter; /* what namespaces would hold, as a second list */
  size_t plain_length;
  bool lists_executables; /* nothing can be executed but what rules of ACCESS_EXECUTE name */
  bool nests; /* the command confines another: nest.c */
  const uint8_t *filter; /* struct sock_filter[], 8 bytes each */
  size_t filter_length;
  enum notify notify;
  const uint8_t *notify_filter; /* a second program, for the calls that stop */
  size_t notify_length;
  uint64_t limit[L_COUNT]; /* UINT64_MAX: unlimited */
  const char *keeper; /* directory of the layer, where another process has its overlays mounted */
  bool tap_stderr;
  bool forwards;    /* the supervisor may ask for connections to ports of the box */
  bool warm;        /* the command comes later, on the control descriptor; `cwd` is where it probably starts */
  bool held;        /* the command waits for the supervisor */
  uint32_t absent;  /* entries of PATH at its start in which the command is not */
  struct list hits; /* of struct hit: names that appeared between preparing a warm box and using it */
};

/* 0, or a text that says what is wrong with the bytes. Never reads outside [bytes, bytes + length). */
const char *plan_decode(struct plan *plan, uint8_t *bytes, size_t length);
/* The same for the records of a command alone, which a warm box gets later. */
const char *command_decode(struct plan *plan, uint8_t *bytes, size_t length);
void *list_push(struct list *list, size_t item_size);
#define LIST_AT(list, type, index) (((type *)(list).items)[index])

/* ---- report.c: frames to the supervisor and failure ---- */

enum report { R_STARTED = 1, R_FAILED, R_EXIT, R_PROTECTED, R_APPEARED, R_TAIL, R_TIMEOUT, R_STOPPED /* init to outer only */, R_LISTENER, R_REFUSED, R_FOUND, R_HANDLE };
void report_to(int fd); /* where frames go from now on: the control fd in outer, the status socket in init */
void report(enum report kind, const void *payload, size_t length);
bool report_soon(enum report kind, const void *payload, size_t length); /* false when it would have to wait */
_Noreturn void fail(const char *stage, const char *path, int error);
void report_failure(const char *stage, const char *path, int error);
int take_leave(int status); /* the last that outer does: what it ends with */
void undo_on_failure(const struct plan *plan, pid_t pid); /* outer, once it has a box: `fail` ends that too */

/* ---- adopted.c: a launcher that the front has become, whose supervisor is no parent ---- */

void adopt(const char *child); /* main: before the plan is read; `child`: the number of a supervisor that this process has started, or NULL */
bool is_adopted(void);
bool has_adopted_child(void);
pid_t adopter(void);     /* the supervisor's number */
int adopter_end(void);   /* readable when the supervisor has ended; -1 where that cannot be watched */
void drop_handles(void); /* where init hands nothing over */
int handles_end(void);   /* readable when there is something of that; -1 without */
void hear_handles(void);
void drop_handle(void);  /* `h`, u32 descriptor: the supervisor has it */
bool is_passed_on(uint32_t signal_number); /* whether the command hears of it */
void stop_self(void);    /* as Ctrl-Z stops a job; returns when that goes on */
int last_words(void); /* after the last report: prints what the supervisor has to say; the status to end with */

/* ---- path.c ---- */

int open_beneath(int root, const char *path, int flags); /* absolute path, component-wise, no symlinks; -1 and errno */
int open_following(int root, const char *path, int flags); /* symlinks resolved inside root */
void remember_own(int tree); /* a file system in which places may be made */
int make_place(int root, const char *path, enum file_type type, uint32_t mode); /* O_PATH fd of an existing or new place */
void write_file(const char *path, const char *text, const char *stage);
void write_bytes(const char *path, struct bytes bytes, const char *stage);

/* ---- names.c ---- */

#define MAX_STATES 256
#define TOO_MANY_NAMES -2
/* `progress` components of name `index` have been matched by the directories above. */
struct state {
  uint16_t index, progress;
};
struct states {
  unsigned count;
  struct state item[MAX_STATES];
};
/* A name may begin at any component, or only go on from those above. */
enum step_from { STEP_ANYWHERE, STEP_FROM_ABOVE };
struct step {
  const struct plan *plan;
  const char *entry;
  bool packages; /* a node_modules directory lies above */
  enum step_from from;
  unsigned *withheld; /* components of the shortest withheld name that matched as a whole; NULL where that is of no interest */
};
int advance_names(const struct step *step, const struct states *above, struct states *below, const struct protected_name **matched);
int enter_names(const struct plan *plan, const char *path, struct states *states, bool *packages); /* 0 or an errno */
int enter_git_names(const struct plan *plan, struct states *states);                               /* the same */
bool name_matches(const char *pattern, const char *name);
bool is_released(const struct plan *plan, unsigned root, const char *path);
bool is_withheld(const struct plan *plan, unsigned root, const char *path, unsigned components); /* of a path that ends in a withheld name of so many; false where it is approved */
bool is_withholding(const struct plan *plan, const char *path);                                  /* whether names are withheld at or below an absolute path */
void keep_withheld(const struct plan *plan, struct states *states);                              /* drops all others */
bool is_guarded(const struct plan *plan, unsigned root, const char *path);
bool is_shown_root(const struct plan *plan, unsigned root);

/* ---- sight.c ---- */

/* A file that is made gets the number of one that was removed, but is born later (attack: a hook in place of the old one, with its
 * number). `born` in nanoseconds; 0 where the file system keeps no births: there the number alone says it. */
struct identity {
  uint64_t device, inode, born;
};
struct sight {
  struct identity is;
  uint32_t links;
  mode_t mode;
};
bool look_at(int parent, const char *entry, int flags, struct sight *sight); /* false and errno; the flags of fstatat */
int compare_identities(const struct identity *x, const struct identity *y);

/* ---- scan.c ---- */

struct hit {
  unsigned root;
  enum effect effect;
  bool symlink;
  bool unpinned; /* found by what it is, not by its name: the directories above may move */
  struct identity is;
  char *path; /* relative to the root */
  char *text; /* of a symlink: a new one may be the old one by all else where births are not kept */
  struct identity target; /* of a symlink that leads somewhere */
};
/* A protected or hidden file with more than one name; `names` were found. */
struct linked {
  uint64_t device, inode, links, names;
  enum effect effect;
};
/* `after`: once the box has ended, names alone matter. */
struct findings {
  bool after;
  struct list hits;   /* of struct hit */
  struct list linked; /* of struct linked */
};
bool path_behind(int parent, const char *entry, char path[4096]);
/* Finds every protected name, and every socket that listens, below an open root directory. Returns 0 or an errno. */
int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found);
bool listens(int parent, const char *entry); /* sockets.c */
void find_other_names(const struct plan *plan, const int *root_fds, struct findings *found); /* links.c */
const struct layer_directory *staged_upper(const struct plan *plan, unsigned root); /* mounts.c: of the layer of a root; NULL where there is none */
int open_layer(int host, const struct layer_directory *place);                      /* O_PATH, or a failure */
/* What the box writes there does not reach the host: what appears on the host is somebody else's. */
bool is_staged_root(const struct plan *plan, unsigned root);
void receive(uint8_t *bytes, size_t length); /* from the control descriptor, or a failure */
void report_hits(const struct plan *plan, const struct list *hits); /* those that no mount of the box shows or keeps aside */
bool is_known_hit(const struct list *before, const struct hit *hit);

/* ---- mounts.c, protect.c, devices.c ---- */

void prepare_foreign_binds(struct plan *plan); /* outer, only as root */
void check_sources(const struct plan *plan);   /* every planned inode is still there */
int open_source(int host, const struct mount_step *step); /* the planned inode or a failure; -1 and errno where it may be absent */
/* Descriptors while the root is built: the private root, the host's root, and a tmpfs that holds masks and the upper
 * layers of overlays and goes away with the host's root. */
struct builder {
  int root, host, scaffold, masks;
};
void build_root(struct plan *plan, const struct list *hits);
int staged_overlay(const struct builder *builder, const struct mount_step *step); /* a detached overlay whose writes are kept */
int attach_tree(int tree, int place);
int clone_tree(int place, uint64_t attributes);
int new_filesystem(const char *type, const char *const *options, uint64_t attributes);
void make_devices(const struct builder *builder, const struct mount_step *step);
void open_scaffold(struct builder *builder, uint64_t size);
void protect_hits(const struct builder *builder, const struct plan *plan, const struct list *hits);
void mask_path(const struct builder *builder, const char *path);

/* ---- keeper.c ---- */

_Noreturn void run_keeper(struct plan *plan);
void run_nursery(void);
void take_overlays(struct plan *plan);

/* ---- confine.c ---- */

int landlock_abi(void);
struct handover;
int landlock_ruleset(const struct plan *plan, int abi, const struct handover *hand); /* -1 when Landlock is absent and not required */
void apply_limits(const struct plan *plan); /* all but the number of processes */
uint64_t other_tasks(const struct plan *plan); /* that count against the limit of processes, and are not the box's */
void limit_processes(const struct plan *plan, uint64_t others);
void empty_capabilities(void); /* of this process */
void keep_tracing(void);       /* all but the right to read the memory of the box, where there is that right */
void drop_capabilities(void);  /* and of all that it executes */
void no_new_privileges(void);
void nest(void); /* nest.c: the command becomes uid 0 of namespaces of its own */
long install_filter(unsigned flags, struct bytes program); /* of `struct sock_filter`; -1 and errno */
void confine(const struct plan *plan, int ruleset); /* no_new_privs, Landlock, seccomp: the last steps before exec */
void loopback_up(void);

/* ---- network.c ---- */

bool has_network(const struct plan *plan);
void open_network(const struct plan *plan);  /* in the namespace of the box, with its capabilities */
void enter_network(const struct plan *plan); /* makes that namespace for bubblewrap */
void close_handles(void);
void use_handles(int fd); /* where descriptors for the supervisor are sent */
int handles(void);
void connect_forward(uint16_t port, uint32_t id); /* init: hands the supervisor a connection to a port of the box's loopback */

/* ---- box.c ---- */

/* What the command gets of outer's surroundings. */
struct handover {
  int terminal;  /* the controlling terminal, or -1 */
  int output;    /* the tap's pipe for stderr, or -1 */
  bool merged;   /* stdout goes there too */
  sigset_t mask; /* the signal mask the command starts with */
  int source;    /* where outer reads the tap; a second reader would keep writers waiting that nobody listens to. -1 without it */
};
/* What ends the rest of the box: the kernel when PID 1 goes, a signal to all when PID 1 is the helper's, or its sub-reaper. */
enum ending { ENDS_WITH_INIT, ENDS_BY_SIGNAL, ENDS_BY_REAPING };
struct box {
  pid_t init;
  int status; /* outer's end of the socket to init; -1 when the box has ended */
};
struct box start_box(struct plan *plan, const struct list *hits, struct handover hand);
/* Confines and starts the command, then keeps house; `status` is the socket to outer. */
_Noreturn void start_command(struct plan *plan, int status, struct handover hand, enum ending ending);

const char *search_path(const struct plan *plan); /* where the command is looked for */

/* ---- await.c ---- */

bool waits_confined(const struct plan *plan); /* whether the command is forked and confined before it is known */
uint32_t absent_entries(const struct plan *plan);
void bring_command(const struct plan *plan, int orders, int memory); /* the keeper */
void await_orders(struct plan *plan, int orders);                    /* the command */

/* ---- plain.c, tree.c, private.c: a box without namespaces ---- */

struct box start_plain(struct plan *plan, struct handover hand);
void end_plain(const struct plan *plan);
int open_granted(const struct plan *plan, const char *path); /* O_PATH of a Landlock rule's path; -1 and errno */
void adopt_orphans(void);
void enter_signal_domain(int abi);
void kill_children(void);
void end_descendants(void);
void make_private_directories(const struct plan *plan);
void remove_private_directories(const struct plan *plan);
void sweep_private_directories(const struct plan *plan);

/* ---- helper.c: the same box, its namespaces and mounts made by bubblewrap ---- */

/* ---- warm.c: a box that is built before its command is known ---- */

#define WARM_MASKS "/run/holdfast/masks"
void keep_masks(const struct builder *builder);
void await_command(struct plan *plan, int status); /* init */
struct sweep_roots {
  const int *fds;
  struct list *before; /* of struct hit */
};
void read_command(const struct plan *plan, struct plan *command, int memory);
/* outer: what came, with what no mount holds and is new since the box was built */
struct brought {
  int memory;
  size_t found;
};
struct brought take_command(const struct plan *plan, struct sweep_roots roots);
void hand_over_command(int status, int memory);

/* One message with a descriptor; one of at most `size` bytes, and -1 where it has none. */
bool send_with_fd(int socket, int fd, const void *bytes, size_t length);
ssize_t receive_with_fd(int socket, int *fd, void *bytes, size_t size, int flags);

/* ---- listener.c: hands the seccomp listener of the command to whoever serves it ---- */

/* Between the command, which has a filter and may not begin, and init. */
struct channel {
  int command, init;
};
struct channel open_channel(const struct plan *plan); /* -1 where the plan has no listener */
pid_t fork_command(const struct plan *plan);
void hand_over_listener(const struct plan *plan, struct channel channel); /* the command: returns when it may go on; `channel.command` stays open where it has more to hear */
int take_listener(struct channel *channel);                               /* init: -1 where the kernel gave none */
void send_listener(int status, int listener);                             /* init, to outer */
void let_begin(struct channel *channel);

/* ---- forward.c: hands signals to the command of a runtime that does not ---- */

_Noreturn void say_kernel(const char *word); /* say-kernel.c */
_Noreturn void run_forwarder(char **arguments, sigset_t mask);

/* ---- guard.c: refuses the creation of protected names while the box runs ---- */

void guard_begin(const struct plan *plan, pid_t command);
bool guard_apart(int listener); /* serves all of them in a thread of its own; false where the box may have no more tasks */
bool guard_serve(int listener); /* one call that stopped; false when there is nobody left to stop */

/* guard-names.c */
#define LONGEST_PATH 4096
/* As the kernel has it: a directory by number (or the working directory), and a path in the memory of the caller. */
struct target {
  uint32_t pid;
  int directory;
  uint64_t address;
  char path[LONGEST_PATH + 1];
};
enum creation { CREATES_FILE, CREATES_DIRECTORY, CREATES_OTHER, MOVES };
struct new_name {
  enum creation creation;
  bool follows; /* a symlink at the end of the path is no obstacle */
  bool exchanges;
  struct target old, new; /* `old` is what moves */
};
/* Where a new name would lie: its directory, and its absolute path. */
struct place {
  int directory;
  char path[2 * LONGEST_PATH];
};
enum judgement { ALLOWED, REFUSED };
enum judgement judge_new_name(const struct plan *plan, struct new_name *name, struct place *place);
enum made { MADE_FILE, MADE_DIRECTORY, MADE_OTHER };
bool may_be_gits(const struct protected_name *name, const char *last, enum made made);
bool is_sample(const char *name);
void note_repository(const struct place *place); /* guard-repositories.c; `place` ends in .git */
bool is_in_new_repository(const char *path);
enum judgement judge_tree(const struct step *step, int directory, const struct states *above, struct place *place); /* guard-trees.c */

/* guard-paths.c: paths as the caller sees them. Nothing here waits: descriptors are opened with O_PATH. */
enum found { FOUND, FOUND_NOTHING, FOUND_UNSURE };
bool open_guard_paths(pid_t command, bool nested);      /* false where other processes cannot be looked into */
enum found read_target(struct target *target); /* its path, without slashes at the end */
enum found read_targets(struct target *one, struct target *other); /* of one caller; the first that is not FOUND */
enum found find_place(const struct target *target, bool follow, struct place *place);
int stat_target(const struct target *target, struct stat *st, int flags);
int open_target(const struct target *target, int flags);

#define INNER_STATUS_FD 4
struct box start_helper(struct plan *plan, const struct list *hits, struct handover hand);
_Noreturn void run_inner(struct plan *plan, sigset_t mask);

/* ---- supervise.c, sweep.c, terminal.c, cgroup.c ---- */

struct tap {
  int from, to; /* the command's stderr pipe, and the real stderr; -1 without a tap */
};
struct handover_ends {
  int terminal;
  struct tap tap;
  pid_t supervisor;
};
struct outcome {
  bool failed, supervisor_gone;
  uint32_t status, signal;
};
struct outcome supervise(struct plan *plan, struct box *box, struct sweep_roots roots, struct handover_ends ends);
enum aside { ASIDE_REPORT, ASIDE_RENAME };
void sweep(const struct plan *plan, const int *root_fds, struct list *before, enum aside aside);
int foreground_terminal(void); /* the controlling terminal when we own it, or -1 */
void save_terminal(int terminal);
void restore_terminal(int terminal);
void give_back_terminal(int terminal);
void make_cgroups(const struct plan *plan, pid_t pid);
void enter_cgroups(const struct plan *plan);
void leave_cgroups(const struct plan *plan);
#endif
