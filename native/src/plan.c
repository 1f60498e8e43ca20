/* Decodes the Plan. Everything here faces bytes that could be hostile: every length is checked before it is used. */
#include <stdlib.h>
#include <string.h>
#include "launch.h"

enum record {
  K_ARG = 1, K_ENV, K_CWD, K_BIND, K_OVERLAY, K_TMPFS, K_PROC, K_DEVICES, K_DIRECTORY, K_SYMLINK, K_MASK, K_FILE, K_ROOT, K_NAME,
  K_LANDLOCK_RULE, K_LANDLOCK_MINIMUM, K_SECCOMP, K_LIMIT, K_CGROUP, K_CGROUP_FILE, K_TAP, K_HELPER, K_HELPER_DATA, K_RELEASED,
  K_GIT_ROOT, K_WARM, K_HIT, K_SHOWN_ROOT, K_NETLINK, K_LISTENER, K_SYSCTL, K_FORWARD, K_GUARDED, K_NOTIFY, K_KEEPER, K_EXECUTION_LISTED, K_APPROVED, K_WITHHOLDING, K_HELD, K_PLAIN
};

struct cursor {
  uint8_t *at, *end;
};

static const char *decode_record(struct plan *plan, unsigned kind, unsigned flags, struct cursor *in);
static const char *check_command(struct plan *plan);
static const char *check_complete(struct plan *plan);

static const char *decode_all(struct plan *plan, uint8_t *bytes, size_t length) {
  memset(plan, 0, sizeof *plan);
  for (int i = 0; i < L_COUNT; i++) plan->limit[i] = UINT64_MAX;
  struct cursor all = {bytes, bytes + length};
  while (all.at < all.end) {
    if (all.end - all.at < 8) return "a record header is cut short";
    uint16_t head[2];
    uint32_t size;
    memcpy(head, all.at, 4);
    memcpy(&size, all.at + 4, 4);
    all.at += 8;
    if (size > (size_t)(all.end - all.at)) return "a record is longer than the plan";
    struct cursor payload = {all.at, all.at + size};
    const char *wrong = decode_record(plan, head[0], head[1], &payload);
    if (wrong) return wrong;
    if (payload.at != payload.end) return "a record has trailing bytes";
    all.at += size;
  }
  return NULL;
}

const char *plan_decode(struct plan *plan, uint8_t *bytes, size_t length) {
  const char *wrong = decode_all(plan, bytes, length);
  return wrong ? wrong : check_complete(plan);
}

const char *command_decode(struct plan *plan, uint8_t *bytes, size_t length) {
  const char *wrong = decode_all(plan, bytes, length);
  return wrong ? wrong : check_command(plan);
}

void *list_push(struct list *list, size_t item_size) {
  if (list->count == list->size) {
    size_t size = list->size ? list->size * 2 : 16;
    void *items = realloc(list->items, size * item_size);
    if (!items) fail("memory", "", 12);
    list->items = items;
    list->size = size;
  }
  void *item = (char *)list->items + list->count++ * item_size;
  memset(item, 0, item_size);
  return item;
}

static bool take_string(struct cursor *in, const char **text) {
  uint8_t *nul = memchr(in->at, 0, (size_t)(in->end - in->at));
  if (!nul) return false;
  *text = (const char *)in->at;
  in->at = nul + 1;
  return true;
}

static bool take(struct cursor *in, void *value, size_t size) {
  if ((size_t)(in->end - in->at) < size) return false;
  memcpy(value, in->at, size);
  in->at += size;
  return true;
}

/* Absolute, no empty, `.` or `..` component, no trailing slash: what a path that is walked component-wise must be. */
static bool is_clean_path(const char *path) {
  if (path[0] != '/') return false;
  if (path[1] == 0) return true;
  for (const char *c = path; *c;) {
    const char *next = strchrnul(c + 1, '/');
    size_t length = (size_t)(next - c) - 1;
    if (length == 0 || (length == 1 && c[1] == '.') || (length == 2 && c[1] == '.' && c[2] == '.')) return false;
    c = next;
  }
  return true;
}

static bool take_path(struct cursor *in, const char **path) {
  return take_string(in, path) && is_clean_path(*path);
}

static bool take_place(struct cursor *in, struct layer_directory *place) {
  return take(in, &place->device, 8) && take(in, &place->inode, 8) && take_path(in, &place->path);
}

static const char *decode_mount(struct plan *plan, enum mount_kind kind, unsigned flags, struct cursor *in) {
  struct mount_step *step = list_push(&plan->mounts, sizeof *step);
  step->kind = kind;
  step->fd = -1;
  step->flags = flags & 7;
  unsigned type = flags >> 3;
  if (type > T_DIRECTORY) return "a mount has an unknown file type";
  step->type = (enum file_type)type;
  bool ok = true;
  switch (kind) {
    case M_BIND:
    case M_OVERLAY:
      ok = take(in, &step->device, 8) && take(in, &step->inode, 8) && take_path(in, &step->source);
      if (ok && kind == M_OVERLAY && (flags & BIND_WRITABLE)) ok = take_place(in, &step->upper) && take_place(in, &step->work);
      break;
    case M_TMPFS:
      ok = take(in, &step->mode, 4) && take(in, &step->size, 8);
      break;
    case M_DIRECTORY:
      ok = take(in, &step->mode, 4);
      break;
    case M_DEVICES:
      ok = take(in, &step->size, 8);
      break;
    case M_SYMLINK:
      ok = take_string(in, &step->source);
      break;
    case M_FILE:
      ok = take(in, &step->mode, 4) && take(in, &step->size, 8) && step->size <= (size_t)(in->end - in->at);
      if (!ok) break;
      step->source = (const char *)in->at;
      in->at += step->size;
      break;
    case M_PROC:
    case M_MASK:
      break;
  }
  return ok && take_path(in, &step->target) ? NULL : "a mount is malformed";
}

static const char *decode_name(struct plan *plan, unsigned flags, struct cursor *in) {
  struct protected_name *name = list_push(&plan->names, sizeof *name);
  if (plan->names.count > UINT16_MAX) return "there are too many protected names";
  uint16_t count[2];
  unsigned effect = flags & 3;
  if (flags > 7 || !take(in, count, 4) || count[0] < 1 || count[0] > MAX_COMPONENTS || count[1] > MAX_COMPONENTS)
    return "a protected name is malformed";
  name->effect = (enum effect)effect;
  name->outside_packages = flags & 4;
  name->components = count[0];
  name->excepts = count[1];
  for (unsigned i = 0; i < count[0]; i++)
    if (!take_string(in, &name->component[i]) || !name->component[i][0] || strchr(name->component[i], '/'))
      return "a protected name has a bad component";
  for (unsigned i = 0; i < count[1]; i++)
    if (!take_string(in, &name->except[i])) return "a protected name has a bad exception";
  return NULL;
}

static const char *decode_cgroup(struct plan *plan, unsigned kind, struct cursor *in) {
  struct cgroup_step *step = list_push(&plan->cgroups, sizeof *step);
  if (kind == K_CGROUP) return take_path(in, &step->directory) ? NULL : "a control group is malformed";
  if (plan->cgroups.count < 2) return "a control group file comes before its group";
  step->directory = step[-1].directory;
  bool ok = take_string(in, &step->name) && take_string(in, &step->value);
  return ok && step->name[0] && !strchr(step->name, '/') ? NULL : "a control group file is malformed";
}

/* Only outer writes this record, for init. */
static const char *decode_hit(struct plan *plan, unsigned flags, struct cursor *in) {
  struct hit *hit = list_push(&plan->hits, sizeof *hit);
  const char *path;
  uint32_t root;
  if ((flags & 3) > EFFECT_HIDDEN || flags > 15 || !take(in, &root, 4) || !take_string(in, &path)) return "a hit is malformed";
  *hit = (struct hit){.root = root, .effect = (enum effect)(flags & 3), .symlink = flags & 4, .unpinned = flags & 8, .path = (char *)path};
  return NULL;
}

static const char *decode_netlink(struct plan *plan, unsigned flags, struct cursor *in) {
  struct netlink_step *step = list_push(&plan->netlink, sizeof *step);
  *step = (struct netlink_step){(int)(flags & 0xff), flags & 0x100, in->at, (size_t)(in->end - in->at)};
  if (flags > 0x1ff || (step->family != 0 && step->family != 12)) return "a network message has an unknown family";
  for (uint8_t *at = in->at; at < in->end;) {
    uint32_t length;
    if (in->end - at < 16) return "a network message is cut short";
    memcpy(&length, at, 4);
    if (length < 16 || length > 65536 || ((length + 3) & ~3u) > (size_t)(in->end - at)) return "a network message has a wrong length";
    at += (length + 3) & ~3u;
  }
  in->at = in->end;
  return NULL;
}

static const char *decode_listener(struct plan *plan, unsigned flags, struct cursor *in) {
  struct listener_step *step = list_push(&plan->listeners, sizeof *step);
  uint16_t family;
  step->flags = flags;
  if (flags > LISTENER_FLAGS || plan->listeners.count > 512 || !take_string(in, &step->tag) || strlen(step->tag) > 64) return "a listener is malformed";
  for (const char *c = step->tag; *c; c++)
    if (!(*c == '-' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z'))) return "a listener has a bad tag";
  step->address = in->at;
  step->length = (size_t)(in->end - in->at);
  if (!take(in, &family, 2) || (family != 2 && family != 10) || step->length != (family == 2 ? 16u : 28u)) return "a listener has a bad address";
  in->at = in->end;
  return NULL;
}

static const char *decode_sysctl(struct plan *plan, struct cursor *in) {
  struct sysctl_step *step = list_push(&plan->sysctls, sizeof *step);
  bool ok = take_path(in, &step->path) && take_string(in, &step->value);
  return ok && strncmp(step->path, "/proc/sys/net/", 14) == 0 ? NULL : "a kernel setting is malformed";
}

static const char *decode_notify(struct plan *plan, unsigned flags, struct cursor *in) {
  plan->notify = (enum notify)flags;
  plan->notify_filter = in->at;
  plan->notify_length = (size_t)(in->end - in->at) / 8;
  in->at += plan->notify_length * 8;
  return (flags == NOTIFY_GUARD || flags == NOTIFY_SUPERVISOR) && plan->notify_length > 0 && plan->notify_length <= 4096 ? NULL : "the filter with a listener is malformed";
}

static const char *decode_plain(struct plan *plan, struct cursor *in) {
  plan->plain = true;
  plan->plain_filter = in->at;
  plan->plain_length = (size_t)(in->end - in->at) / 8;
  in->at += plan->plain_length * 8;
  return plan->plain_length > 0 && plan->plain_length <= 4096 ? NULL : "the filter of a box without namespaces is malformed";
}

static const char *decode_word(struct list *list, struct cursor *in) {
  const char *text;
  if (!take_string(in, &text)) return "a word is not terminated";
  *(const char **)list_push(list, sizeof text) = text;
  return NULL;
}

static struct list *paths_of(struct plan *plan, unsigned kind) {
  return kind == K_ROOT ? &plan->roots : kind == K_GUARDED ? &plan->guarded : kind == K_RELEASED ? &plan->released : kind == K_APPROVED ? &plan->approved : kind == K_WITHHOLDING ? &plan->withholding : kind == K_GIT_ROOT ? &plan->git_roots : &plan->shown_roots;
}

static const char *decode_record(struct plan *plan, unsigned kind, unsigned flags, struct cursor *in) {
  const char *text;
  uint64_t number;
  switch (kind) {
    case K_ARG: return decode_word(&plan->arguments, in);
    case K_ENV: return decode_word(&plan->environment, in);
    case K_HELPER: return decode_word(&plan->helper, in);
    case K_HELPER_DATA:
      *(struct bytes *)list_push(&plan->data, sizeof(struct bytes)) = (struct bytes){in->at, (size_t)(in->end - in->at)};
      in->at = in->end;
      return NULL;
    case K_CWD:
      return take_path(in, &plan->cwd) ? NULL : "the working directory is malformed";
    case K_BIND: case K_OVERLAY: case K_TMPFS: case K_PROC: case K_DEVICES: case K_DIRECTORY: case K_SYMLINK: case K_MASK: case K_FILE:
      return decode_mount(plan, (enum mount_kind)(kind - K_BIND), flags, in);
    case K_ROOT:
    case K_RELEASED:
    case K_APPROVED:
    case K_WITHHOLDING:
    case K_GUARDED:
    case K_GIT_ROOT:
    case K_SHOWN_ROOT:
      if (!take_path(in, &text)) return "a root is malformed";
      *(const char **)list_push(paths_of(plan, kind), sizeof text) = text;
      return NULL;
    case K_NAME:
      return decode_name(plan, flags, in);
    case K_LANDLOCK_RULE: {
      struct landlock_rule *rule = list_push(&plan->rules, sizeof *rule);
      rule->access = (enum access_kind)flags;
      return flags <= ACCESS_EXECUTE && take_path(in, &rule->path) ? NULL : "a Landlock rule is malformed";
    }
    case K_LANDLOCK_MINIMUM:
      return take(in, &plan->minimum_landlock, 4) ? NULL : "the Landlock ABI is malformed";
    case K_EXECUTION_LISTED:
      plan->lists_executables = true;
      return NULL;
    case K_SECCOMP:
      if (flags > 1) return "the seccomp filter is malformed";
      plan->nests = flags;
      plan->filter = in->at;
      plan->filter_length = (size_t)(in->end - in->at) / 8;
      in->at += plan->filter_length * 8;
      return NULL;
    case K_LIMIT:
      if (flags >= L_COUNT || !take(in, &number, 8)) return "a limit is malformed";
      plan->limit[flags] = number;
      return NULL;
    case K_CGROUP: case K_CGROUP_FILE:
      return decode_cgroup(plan, kind, in);
    case K_NETLINK:
      return decode_netlink(plan, flags, in);
    case K_LISTENER:
      return decode_listener(plan, flags, in);
    case K_SYSCTL:
      return decode_sysctl(plan, in);
    case K_FORWARD:
      plan->forwards = true;
      return NULL;
    case K_KEEPER:
      return take_path(in, &plan->keeper) ? NULL : "the keeper is malformed";
    case K_TAP:
      plan->tap_stderr = true;
      return NULL;
    case K_NOTIFY:
      return decode_notify(plan, flags, in);
    case K_PLAIN:
      return decode_plain(plan, in);
    case K_WARM:
      plan->warm = true;
      return NULL;
    case K_HELD:
      plan->held = true;
      return NULL;
    case K_HIT:
      return decode_hit(plan, flags, in);
    default:
      return "a record has an unknown kind";
  }
}

static char **as_vector(struct list *list) {
  *(char **)list_push(list, sizeof(char *)) = NULL;
  return list->items;
}

static const char *check_command(struct plan *plan) {
  if (plan->arguments.count == 0) return "there is no command";
  if (!plan->cwd) return "there is no working directory";
  plan->argv = as_vector(&plan->arguments);
  plan->envp = as_vector(&plan->environment);
  return NULL;
}

/* Nothing that only mounts or namespaces could carry out is passed over. */
static const char *check_plain(const struct plan *plan) {
  if (plan->warm && !plan->cwd) return "there is no working directory";
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    bool same = step->kind == M_BIND && strcmp(step->source, step->target) == 0;
    if (!same && step->kind != M_TMPFS) return "a box without namespaces has mounts";
  }
  if (plan->minimum_landlock == 0) return "a box without namespaces could be without Landlock";
  bool more = plan->helper.count || plan->listeners.count || plan->netlink.count || plan->sysctls.count || plan->keeper || plan->forwards;
  return more || plan->nests || plan->notify == NOTIFY_GUARD ? "a box without namespaces has what needs them" : NULL;
}

static const char *check_complete(struct plan *plan) {
  if (plan->filter_length == 0 || plan->filter_length > 4096) return "there is no seccomp filter";
  const char *wrong = plan->plain ? check_plain(plan) : NULL;
  return wrong || plan->warm ? wrong : check_command(plan);
}
