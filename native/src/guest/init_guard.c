/* The listener of the guest's seccomp filter. A call that cannot be described, or is not answered, starts no program. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "init_guard.h"
#include "../kernel.h"
#include "caller.h"
#include "give_up.h"
#include "init_program.h"
#include "protocol.h"
#include "start.h"
#include "wire.h"

int open_guard(struct guard *guard) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) give_up("open", "guard");
  guard->channel = ends[0];
  return ends[1];
}

static int install_listener(const struct blob *filter) {
  const unsigned new_listener = 1u << 3, wait_killable = 1u << 5;
  struct { unsigned short length; const void *filter; } program = {(unsigned short)(filter->length / 8), filter->bytes};
  long listener = syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, new_listener | wait_killable, &program);
  return (int)(listener < 0 && errno == EINVAL ? syscall(SYS_seccomp, 1, new_listener, &program) : listener);
}

bool install_guard(const struct blob *filter, int channel) {
  union { struct cmsghdr head; char bytes[CMSG_SPACE(sizeof(int))]; } control = {0};
  pid_t pid = getpid();
  struct iovec piece = {&pid, sizeof pid};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  int listener = install_listener(filter);
  if (listener < 0) return false;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof listener)};
  memcpy(CMSG_DATA(head), &listener, sizeof listener);
  bool sent = sendmsg(channel, &message, MSG_NOSIGNAL) == (ssize_t)sizeof pid;
  close(listener);
  close(channel);
  return sent;
}

static void take_listener(struct guard *guard) {
  union { struct cmsghdr head; char bytes[CMSG_SPACE(sizeof(int))]; } control = {0};
  struct iovec piece = {&guard->entry, sizeof guard->entry};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t got = recvmsg(guard->channel, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (got == (ssize_t)sizeof guard->entry && head && head->cmsg_type == SCM_RIGHTS) memcpy(&guard->listener, CMSG_DATA(head), sizeof guard->listener);
  close(guard->channel);
  guard->channel = -1;
}

struct pollfd guard_waits(const struct guard *guard) {
  if (guard->channel >= 0) return (struct pollfd){guard->channel, POLLIN, 0};
  return (struct pollfd){guard->asked < MOST_ASKED ? guard->listener : -1, POLLIN, 0};
}

static void answer(const struct guard *guard, uint64_t call, uint32_t error) {
  struct k_notify_answer reply = {.id = call, .error = -(int32_t)error, .flags = error ? 0 : K_NOTIFY_CONTINUE};
  /* A caller that was killed meanwhile needs no answer. */
  ioctl(guard->listener, (int)K_NOTIFY_ANSWER, &reply);
}

/* The command searches PATH for its program. Until it has become that program, it is still this process. */
static bool is_entry(const struct guard *guard, pid_t pid) {
  char link[64];
  struct stat own, its;
  snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
  return pid == guard->entry && stat("/proc/self/exe", &own) == 0 && stat(link, &its) == 0 && own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

/* Writes the question. Returns 0, or the errno of a refusal. */
static int describe(const struct k_notification *call, char *question, size_t *length) {
  bool at = call->number == SYS_execveat;
  const uint64_t *argument = call->argument + at;
  char path[4096], *named = question + sizeof call->id;
  if (!at && call->number != SYS_execve) return EACCES;
  size_t bytes = read_text((pid_t)call->pid, argument[0], path, sizeof path);
  if (bytes == UNREADABLE) return EFAULT;
  if (bytes > sizeof path) return ENAMETOOLONG;
  struct execution execution = {(pid_t)call->pid, at ? (int)call->argument[0] : AT_FDCWD, at ? (int)call->argument[4] : 0, path};
  int error = find_program(&execution, named);
  if (error) return error;
  size_t used = strlen(named) + 1, words;
  if (!read_words((pid_t)call->pid, argument[1], named + used, &words)) return EFAULT;
  memcpy(question, &call->id, sizeof call->id);
  *length = sizeof call->id + used + words;
  return 0;
}

static void judge(struct guard *guard, struct wire *wire) {
  static char question[sizeof(uint64_t) + NAMED_ROOM + WORDS_ROOM];
  _Static_assert(sizeof question <= MAX_ASK, "a question is longer than the host takes");
  struct k_notification call = {0};
  size_t length = 0;
  if (ioctl(guard->listener, (int)K_NOTIFY_RECEIVE, &call)) return;
  if (is_entry(guard, (pid_t)call.pid)) return answer(guard, call.id, 0);
  int error = describe(&call, question, &length);
  if (error) return answer(guard, call.id, (uint32_t)error);
  /* Attack: another process that reuses the number was described. */
  if (ioctl(guard->listener, (int)K_NOTIFY_IS_VALID, &call.id)) return;
  guard->asked++;
  wire_send(wire, F_ASK, question, length);
}

void guard_hear(struct guard *guard, struct wire *wire, short events) {
  if (guard->channel >= 0) return take_listener(guard);
  if (events & POLLIN) return judge(guard, wire);
  close(guard->listener);
  guard->listener = -1;
}

bool guard_answer(struct guard *guard, const uint8_t *payload, size_t length) {
  uint64_t call;
  uint32_t error;
  if (length != sizeof call + sizeof error || guard->asked == 0) return false;
  memcpy(&call, payload, sizeof call);
  memcpy(&error, payload + sizeof call, sizeof error);
  guard->asked--;
  answer(guard, call, error > 4095 ? EACCES : error);
  return true;
}
