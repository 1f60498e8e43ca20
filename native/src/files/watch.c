/* Watches: reports of inotify become events, between two requests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "watch.h"
#include "decode.h"
#include "protocol.h"
#include "reply.h"
#include "watch_event.h"
#include "watch_tree.h"

static struct watch watches[MAX_WATCHES];
static bool ready;

static struct watch *free_watch(void) {
  for (unsigned i = 0; !ready && i < MAX_WATCHES; i++) watches[i].fd = -1;
  ready = true;
  for (uint32_t i = 0; i < MAX_WATCHES; i++) {
    struct watch *watch = &watches[i];
    if (watch->fd >= 0) continue;
    uint32_t generation = (watch->generation + 1) % (UINT32_MAX / MAX_WATCHES);
    *watch = (struct watch){.fd = -1, .generation = generation, .number = generation * MAX_WATCHES + i};
    return watch;
  }
  errno = EMFILE;
  return NULL;
}

static void end_watch(struct watch *watch) {
  if (watch->fd >= 0) close(watch->fd);
  for (size_t i = 0; i < watch->count; i++) free(watch->dirs[i].path);
  free(watch->dirs);
  free(watch->path);
  watch->dirs = NULL;
  watch->path = NULL;
  watch->count = watch->room = 0;
  watch->fd = -1;
}

static int begin_watch(struct watch *watch, const struct operation *operation) {
  watch->tree = operation->number[0];
  watch->path = strdup(operation->path[0]);
  if (!watch->path) return errno = ENOMEM, -1;
  watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch->fd < 0 || watch_add(watch, "")) return -1;
  return watch->tree ? watch_below(watch, "", ANNOUNCE_NOTHING) : 0;
}

bool op_watch(const struct operation *operation) {
  struct watch *watch = free_watch();
  if (!watch) return failed(errno, "watch");
  if (begin_watch(watch, operation)) {
    int error = errno;
    end_watch(watch);
    return failed(error, "watch");
  }
  reply_result(RESULT_OPENED);
  reply_u32(watch->number);
  return true;
}

bool op_unwatch(const struct operation *operation) {
  uint32_t number = (uint32_t)operation->number[0];
  struct watch *watch = &watches[number % MAX_WATCHES];
  if (!ready || watch->fd < 0 || watch->number != number) return failed(EBADF, "unwatch");
  end_watch(watch);
  return done_or(0, "unwatch");
}

unsigned watch_descriptors(struct pollfd *to) {
  unsigned count = 0;
  for (unsigned i = 0; ready && i < MAX_WATCHES; i++)
    if (watches[i].fd >= 0) to[count++] = (struct pollfd){watches[i].fd, POLLIN, 0};
  return count;
}

static void tell_gone(struct watch *watch) {
  if (!watch->gone) watch_event(watch->number, EVENT_GONE, "", "");
  watch->gone = true;
}

/* The directory above reports events about a directory itself. */
static void event_of_itself(struct watch *watch, const struct inotify_event *event) {
  if (event->wd == watch->root) {
    if (event->mask & IN_MODIFY) watch_event(watch->number, EVENT_CHANGED, "", "");
    if (event->mask & IN_ATTRIB) watch_event(watch->number, EVENT_ATTRIBUTES, "", "");
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) tell_gone(watch);
  }
  if (event->mask & IN_IGNORED) watch_forget(watch, event->wd);
}

static void event_of_directory(struct watch *watch, const struct inotify_event *event, const char *directory) {
  char path[PATH_ROOM];
  if (snprintf(path, sizeof path, *directory ? "%s/%s" : "%s%s", directory, event->name) >= PATH_ROOM) return;
  if (event->mask & (IN_MOVED_FROM | IN_DELETE)) watch_forget_below(watch, path);
  /* There is no room for another watch. From now on the events are incomplete, which is reported. */
  if (event->mask & (IN_CREATE | IN_MOVED_TO) && (watch_add(watch, path) || watch_below(watch, path, event->mask & IN_CREATE ? ANNOUNCE_CREATED : ANNOUNCE_NOTHING))) watch_event(watch->number, EVENT_OVERFLOW, path, "");
}

static void event_of_entry(struct watch *watch, const struct inotify_event *event) {
  static const struct {
    uint32_t mask;
    enum event_kind kind;
  } kinds[] = {
    {IN_CREATE, EVENT_CREATED}, {IN_MODIFY, EVENT_CHANGED}, {IN_DELETE, EVENT_DELETED},
    {IN_MOVED_FROM, EVENT_MOVED_FROM}, {IN_MOVED_TO, EVENT_MOVED_TO}, {IN_ATTRIB, EVENT_ATTRIBUTES},
  };
  const char *known = watch_path(watch, event->wd);
  if (!known) return; /* of a directory that was moved meanwhile */
  char directory[PATH_ROOM];
  strcpy(directory, known); /* the code below may free it */
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (event->mask & kinds[i].mask) watch_event(watch->number, kinds[i].kind, directory, event->name);
  if (watch->tree && event->mask & IN_ISDIR) event_of_directory(watch, event, directory);
}

static void event_lost(struct watch *watch) {
  watch_event(watch->number, EVENT_OVERFLOW, "", "");
  if (watch->tree) watch_below(watch, "", ANNOUNCE_NOTHING);
}

static void read_events(struct watch *watch) {
  char buffer[16 << 10] __attribute__((aligned(__alignof__(struct inotify_event))));
  ssize_t got = read(watch->fd, buffer, sizeof buffer);
  for (ssize_t at = 0; at < got;) {
    const struct inotify_event *event = (const void *)(buffer + at);
    at += (ssize_t)(sizeof *event + event->len);
    if (event->mask & IN_Q_OVERFLOW) event_lost(watch);
    else if (event->len > 0) event_of_entry(watch, event);
    else event_of_itself(watch, event);
  }
}

void watch_events(const struct pollfd *polled, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; polled[i].revents && j < MAX_WATCHES; j++)
      if (watches[j].fd == polled[i].fd) read_events(&watches[j]);
  reply_flush();
}
