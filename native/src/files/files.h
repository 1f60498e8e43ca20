/*
 * holdfast-files: performs file operations inside a box, as its command.
 *
 * It decides nothing and has no rights of its own: mounts, Landlock and the syscall filter of the box judge every call it
 * makes. One thread; requests in order of arrival; the result of each operation is written before the next begins, so that
 * whoever asked knows what was done if this process dies. The filter refuses openat2 (it cannot look into its argument), so
 * paths are opened with openat, trees are walked by descriptors, and `open_checked` keeps this process's own channels out.
 */
#ifndef HF_FILES_H
#define HF_FILES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>

#define PROTOCOL_MAGIC 0x31464648u /* HFF1 */
#define PROTOCOL_VERSION 1u
#define MAX_FRAME (1u << 20)
#define MAX_PAYLOAD (256u << 10)
#define MAX_HANDLES 256u
#define MAX_WATCHES 64u
#define MAX_LISTINGS 64u
#define EXIT_MALFORMED 3

enum request_kind { REQUEST_RUN = 1, REQUEST_CANCEL };
enum reply_kind { REPLY_HELLO = 1, REPLY_RESULT, REPLY_END, REPLY_EVENT, REPLY_ERROR };
enum result_kind { RESULT_DONE, RESULT_DATA, RESULT_OPENED, RESULT_WRITTEN, RESULT_PATH, RESULT_STAT, RESULT_ENTRIES, RESULT_FAILED };
enum event_kind { EVENT_CREATED, EVENT_CHANGED, EVENT_DELETED, EVENT_MOVED_FROM, EVENT_MOVED_TO, EVENT_ATTRIBUTES, EVENT_OVERFLOW, EVENT_GONE };
enum operation_code {
  OP_READ = 1, OP_WRITE, OP_OPEN, OP_READ_AT, OP_WRITE_AT, OP_CLOSE, OP_LIST, OP_STAT, OP_MAKE_DIRECTORY, OP_COPY, OP_RENAME,
  OP_LINK, OP_SYMLINK, OP_READLINK, OP_REALPATH, OP_TRUNCATE, OP_TIMES, OP_OWNER, OP_MODE, OP_REMOVE, OP_TEMPORARY, OP_ACCESS,
  OP_WATCH, OP_UNWATCH, OP_COUNT
};

/* Words of the protocol; each is the place of the word in encode-request.ts. */
enum { SYMLINK_FOLLOW, SYMLINK_ITSELF };
enum { TREE_SINGLE, TREE_WHOLE };
enum { EXISTING_REPLACE, EXISTING_KEEP, EXISTING_REFUSE };
enum { RENAME_OVER, RENAME_REFUSE, RENAME_SWAP };
enum { PRESERVE_MODE, PRESERVE_ALL };
enum { CLOSE_KEEP, CLOSE_DROP, CLOSE_SYNC };

/* ---- decode.c: one operation. Pointers lead into the frame; paths are NUL-terminated there. ---- */

struct operation {
  enum operation_code code;
  bool has_nul; /* a path has a NUL inside, and would mean another one */
  const char *path[3];
  uint64_t number[5]; /* numbers and words, in the order of the wire */
  const uint8_t *data;
  uint32_t length;
};
struct cursor {
  const uint8_t *at, *end;
};
struct request {
  uint32_t id, count;
  bool never_stop;
  struct cursor operations;
};

/* False, and the cursor anywhere, when the bytes are no such thing. Never reads outside of them. */
bool decode_request(struct request *request, uint32_t id, struct cursor payload);
bool decode_operation(struct operation *operation, struct cursor *from);

/* ---- input.c: frames from descriptor 0 ---- */

struct frame {
  uint32_t id;
  uint8_t kind;
  struct cursor payload;
};
enum next_frame { FRAME_READY, FRAME_NONE, FRAME_END };
/* The frame stays where it is until the next call. Malformed bytes end the process. */
enum next_frame take_frame(struct frame *frame);
void read_input(void);        /* what is there, as far as there is room; called when descriptor 0 is readable */
bool is_cancelled(uint32_t id); /* looks at what arrived meanwhile */
void forget_cancel(uint32_t id);
bool current_cancelled(void); /* of the request that is running: asked by what takes long */
void now_running(uint32_t id);
_Noreturn void malformed(const char *what);

/* ---- reply.c: frames to descriptor 1. Waits while it is full, and reads nothing meanwhile. ---- */

struct failure {
  int error;
  const char *call; /* as Node's fs would name it */
  const char *path; /* in a tree: where */
};
void reply_hello(void);
void reply_begin(enum reply_kind kind, uint32_t id);
void reply_result(enum result_kind kind); /* the next result of the running request; its fields follow */
void reply_u8(unsigned value);
void reply_u16(unsigned value);
void reply_u32(uint32_t value);
void reply_u64(uint64_t value);
void reply_bytes(const void *bytes, size_t length);
uint8_t *reply_room(size_t length); /* to be filled by a system call, then `reply_used` */
void reply_used(size_t length);
size_t reply_size(void);
void reply_put_u32(size_t at, uint32_t value); /* in the payload that is being written */
void reply_undo(size_t size);                  /* back to that size */
void reply_send(void);
void reply_start(uint32_t id);
void reply_failed(struct failure failure);
void reply_done(void);  /* the result is complete */
void reply_flush(void); /* and on its way */
void reply_end(uint32_t id, uint32_t done);
void reply_queue(void); /* an event is complete; many are sent together by reply_flush */
void reply_trim(void); /* gives large buffers back */

/* ---- operations: each writes exactly one result; true when it succeeded ---- */

typedef bool operate(const struct operation *operation);
bool run_operation(const struct operation *operation); /* dispatch.c */
void run_request(const struct frame *frame);
bool failed(int error, const char *call);
bool failed_at(int error, const char *call, const char *path);
bool done_or(int result, const char *call); /* done unless `result` is -1 */

operate op_read, op_write, op_open, op_read_at, op_write_at, op_close, op_truncate;
operate op_list, op_make_directory, op_temporary;
operate op_stat, op_times, op_owner, op_mode, op_access, op_readlink, op_realpath;
operate op_rename, op_link, op_symlink, op_remove, op_copy, op_watch, op_unwatch;

/* ---- open.c ---- */

/* Never waits for the other end of a FIFO, never opens a channel of this process; -1 and errno. */
int open_checked(int directory, const char *path, int flags, mode_t mode);
/* As `mkdir -p` of what is above the last component. A descriptor of that directory, and where its name begins. */
int open_parent(const char *path, const char **name, bool make);
int make_directories(const char *path, mode_t mode); /* 0, or -1 and errno */
void note_channels(void);
void random_name(char *to, unsigned length); /* letters and digits, no NUL */

/* ---- handles.c ---- */

struct replacement; /* atomic.c */
struct handle {
  int fd; /* -1: free */
  uint32_t generation;
  struct replacement *replacement;
};
struct handle *new_handle(uint32_t *number); /* NULL and errno EMFILE */
struct handle *find_handle(uint32_t number); /* NULL and errno EBADF */
void free_handle(struct handle *handle);

/* ---- atomic.c: a new file that takes the place of an old one ---- */

enum replacing { REPLACE_READY, REPLACE_IN_PLACE, REPLACE_FAILED };
/* `in place`: what is there is no regular file. */
enum replacing replace_begin(const char *path, int flags, mode_t mode, struct replacement **replacement);
int replace_fd(const struct replacement *replacement);
int replace_commit(struct replacement *replacement); /* 0, or -1 and errno; frees it, and leaves nothing behind */
void replace_drop(struct replacement *replacement);

/* ---- data.c ---- */

ssize_t write_all(int fd, const uint8_t *bytes, size_t length, off_t offset); /* offset -1: where the file stands */
/* Content with reflinks and holes, from the start of one to an empty other; 0, or -1 and errno. */
int copy_content(int from, int to);
int copy_attributes(int from, int to); /* extended ones, as far as the file system and the rights go */

/* ---- walk.c: trees by descriptors, without following ---- */

struct k_dirent {
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t type;
  char name[];
};
/* A directory that can be found again from the one below it. */
struct place {
  int fd; /* -1 while many levels are below, or when there is none */
  dev_t device;
  ino_t inode;
};
struct level {
  struct place here, other; /* what is walked, and the directory that is made after it */
  bool made;                /* `other` is new */
  char name[256];
  off_t position;      /* behind the entry that was given last */
  char *chunk;         /* of entries, NULL when they must be read again */
  unsigned at, used;   /* in the chunk */
  size_t path_length;  /* of this directory */
};
struct walk {
  struct level *levels;
  unsigned depth, room, steps;
  char path[4096];     /* of the entry that was given last, relative to the root of the walk, as far as it fits */
  size_t path_length;  /* WALK_PATH_CUT when it does not fit */
  bool entries_vanish; /* the caller removes them, so that a directory that is read again is read from its start */
};
struct entry {
  const char *name;
  unsigned char type; /* DT_* */
};
#define WALK_PATH_CUT (sizeof(((struct walk *)0)->path) - 1)
#define WALK_NO_OTHER (-1)
/* Both take the descriptors over, also when they fail: -1 and errno. The name of the root is empty. */
int walk_begin(struct walk *walk, int fd, int other);
int walk_enter(struct walk *walk, int fd, int other); /* the entry that was given last */
int walk_next(struct walk *walk, struct entry *entry); /* 1, 0 at the end of this directory, -1 and errno */
int walk_leave(struct walk *walk); /* to the directory above: 0, or -1 and errno when that is no longer the same */
struct level *walk_level(const struct walk *walk);
int open_directory_at(int directory, const char *name, int flags);
void walk_end(struct walk *walk);
bool failed_in(int error, const char *call, const char *root, const struct walk *walk);

/* ---- metadata.c ---- */

uint8_t type_of(mode_t mode);
uint8_t type_of_entry(unsigned char type);
bool reply_stat_of(int directory, const char *name, int flags); /* the fields of a stat; false and errno */

/* ---- links.c: names of one file that was copied before ---- */

struct links;
const char *links_find(const struct links *links, const struct stat *st); /* relative to the root of the copy, or NULL */
void links_add(struct links **links, const struct stat *st, const char *path);
void links_free(struct links *links);

/* ---- watch.c ---- */

unsigned watch_descriptors(struct pollfd *to); /* at most MAX_WATCHES */
void watch_events(const struct pollfd *ready, unsigned count);
#endif
