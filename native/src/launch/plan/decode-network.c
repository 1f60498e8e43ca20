/* Messages, listeners and kernel settings of an open network. */
#include <string.h>
#include "decode-network.h"
#include "list.h"
#include "plan.h"

const char *decode_netlink(struct plan *plan, unsigned flags, struct cursor *in) {
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

const char *decode_listener(struct plan *plan, unsigned flags, struct cursor *in) {
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

const char *decode_sysctl(struct plan *plan, struct cursor *in) {
  struct sysctl_step *step = list_push(&plan->sysctls, sizeof *step);
  bool ok = take_path(in, &step->path) && take_string(in, &step->value);
  return ok && strncmp(step->path, "/proc/sys/net/", 14) == 0 ? NULL : "a kernel setting is malformed";
}
