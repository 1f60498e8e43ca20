/* Decodes the plan. All bytes could be hostile, so every length is checked before it is used. */
#include <string.h>
#include "decode.h"
#include "bytes.h"
#include "check.h"
#include "cursor.h"
#include "decode-mount.h"
#include "decode-network.h"
#include "hit.h"
#include "list.h"
#include "plan.h"
#include "record.h"

static const char *decode_record(struct plan *plan, unsigned kind, unsigned flags, struct cursor *in);

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

static const char *decode_name(struct plan *plan, unsigned flags, struct cursor *in) {
  struct protected_name *name = list_push(&plan->names, sizeof *name);
  if (plan->names.count > UINT16_MAX) return "there are too many protected names";
  uint16_t count[2];
  unsigned effect = flags & 3;
  if (flags > 15 || (flags & 8 && effect != EFFECT_WITHHELD) || !take(in, count, 4) || count[0] < 1 || count[0] > MAX_COMPONENTS || count[1] > MAX_COMPONENTS)
    return "a protected name is malformed";
  name->effect = (enum effect)effect;
  name->outside_packages = flags & 4;
  name->suspect = flags & 8;
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
  return kind == K_ROOT ? &plan->roots : kind == K_GUARDED ? &plan->guarded : kind == K_RELEASED ? &plan->released : kind == K_APPROVED ? &plan->approved : kind == K_WITHHOLDING ? &plan->withholding : kind == K_UNJUDGED ? &plan->unjudged : kind == K_GIT_ROOT ? &plan->git_roots : &plan->shown_roots;
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
    case K_UNJUDGED:
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
    case K_INSTALLED_ONLY:
      plan->installed_only = true;
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
    case K_SEEN:
      return take_path(in, &plan->seen) ? NULL : "the file of seen directories is malformed";
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
