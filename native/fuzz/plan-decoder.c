/* libFuzzer target: decodes or refuses any bytes. The decoded plan is inside them, and the launcher relies on it.
 * Built with the sanitizers by scripts/fuzz-launcher.sh. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../src/launch/plan/decode.h"
#include "../src/launch/plan/hit.h"
#include "../src/launch/plan/list.h"
#include "../src/launch/plan/plan.h"
#include "../src/launch/report/fail.h"

static jmp_buf failed;

/* In the place of report/fail.c: the decoder fails only for want of memory, and a fuzzer must survive that. */
_Noreturn void fail(const char *stage, const char *path, int error) {
  longjmp(failed, 1);
}

struct bounds {
  const char *begin, *end;
};

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

static void check_text(struct bounds in, const char *text) {
  require(text >= in.begin && text < in.end, "a text lies outside of the plan");
  require(memchr(text, 0, (size_t)(in.end - text)) != NULL, "a text is not terminated inside of the plan");
}

static void check_path(struct bounds in, const char *path) {
  check_text(in, path);
  require(path[0] == '/', "a path is not absolute");
  size_t length = strlen(path);
  require(length == 1 || path[length - 1] != '/', "a path ends with a slash");
  require(!strstr(path, "//") && !strstr(path, "/../") && !strstr(path, "/./"), "a path has an empty, . or .. component");
  require(length < 3 || strcmp(path + length - 3, "/..") != 0, "a path ends with ..");
  require(length < 2 || strcmp(path + length - 2, "/.") != 0, "a path ends with .");
}

static void check_texts(struct bounds in, struct list texts, void (*check)(struct bounds, const char *)) {
  for (size_t i = 0; i < texts.count; i++) check(in, LIST_AT(texts, const char *, i));
}

static void check_mounts(struct bounds in, const struct plan *plan) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    require(step->kind <= M_FILE && step->type <= T_DIRECTORY && (step->flags & ~(unsigned)BIND_HELD) <= 15 && step->fd == -1, "a mount has impossible fields");
    if (step->flags & BIND_HELD) require(step->kind == M_BIND && step->type == T_DIRECTORY && !(step->flags & BIND_WRITABLE), "names are held that nobody can hold");
    check_path(in, step->target);
    if (step->kind == M_BIND || step->kind == M_OVERLAY) check_path(in, step->source);
    if (step->kind == M_SYMLINK) check_text(in, step->source);
    if (step->kind == M_FILE) require(step->source >= in.begin && step->size <= (size_t)(in.end - step->source), "a file's content lies outside of the plan");
  }
}

static void check_names(struct bounds in, const struct plan *plan) {
  require(plan->names.count <= UINT16_MAX, "names cannot be numbered");
  for (size_t i = 0; i < plan->names.count; i++) {
    const struct protected_name *name = &LIST_AT(plan->names, struct protected_name, i);
    require(name->effect <= EFFECT_WITHHELD && name->components > 0 && name->components <= MAX_COMPONENTS && name->excepts <= MAX_COMPONENTS, "a name has impossible fields");
    require(!name->suspect || name->effect == EFFECT_WITHHELD, "a name is suspect that is not withheld");
    for (unsigned j = 0; j < name->components; j++) {
      check_text(in, name->component[j]);
      require(name->component[j][0] && !strchr(name->component[j], '/'), "a component is empty or has a slash");
    }
    for (unsigned j = 0; j < name->excepts; j++) check_text(in, name->except[j]);
  }
}

static void check_others(struct bounds in, const struct plan *plan) {
  for (size_t i = 0; i < plan->hits.count; i++) {
    const struct hit *hit = &LIST_AT(plan->hits, struct hit, i);
    require(hit->effect <= EFFECT_HIDDEN, "a hit has an impossible effect");
    check_text(in, hit->path);
  }
  for (size_t i = 0; i < plan->rules.count; i++) {
    const struct landlock_rule *rule = &LIST_AT(plan->rules, struct landlock_rule, i);
    require(rule->access <= ACCESS_EXECUTE, "a Landlock rule has an impossible access");
    check_path(in, rule->path);
  }
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    check_path(in, step->directory);
    if (!step->name) continue;
    check_text(in, step->name);
    check_text(in, step->value);
    require(step->name[0] && !strchr(step->name, '/'), "a control group file is empty or has a slash");
  }
}

static void check_command(struct bounds in, const struct plan *plan) {
  require(plan->arguments.count > 1 && plan->argv[plan->arguments.count - 1] == NULL, "there is no command");
  require(plan->envp[plan->environment.count - 1] == NULL, "the environment has no end");
  for (char **word = plan->argv; *word; word++) check_text(in, *word);
  for (char **word = plan->envp; *word; word++) check_text(in, *word);
  check_path(in, plan->cwd);
}

static void check_network(struct bounds in, const struct plan *plan) {
  for (size_t i = 0; i < plan->netlink.count; i++) {
    const struct netlink_step *step = &LIST_AT(plan->netlink, struct netlink_step, i);
    const char *bytes = (const char *)step->bytes;
    require(bytes >= in.begin && bytes <= in.end && step->length <= (size_t)(in.end - bytes), "a network message lies outside of the plan");
  }
  for (size_t i = 0; i < plan->listeners.count; i++) {
    const struct listener_step *step = &LIST_AT(plan->listeners, struct listener_step, i);
    const char *bytes = (const char *)step->address;
    check_text(in, step->tag);
    require(strlen(step->tag) <= 64 && !strpbrk(step->tag, "\"\\\n"), "a tag would end the text it stands in");
    require(bytes >= in.begin && step->length <= 28 && step->length <= (size_t)(in.end - bytes), "an address lies outside of the plan");
  }
  for (size_t i = 0; i < plan->sysctls.count; i++) {
    check_path(in, LIST_AT(plan->sysctls, struct sysctl_step, i).path);
    check_text(in, LIST_AT(plan->sysctls, struct sysctl_step, i).value);
  }
}

static void check_plan(struct bounds in, const struct plan *plan) {
  /* A warm box is built before its command is known. */
  if (!plan->warm) check_command(in, plan);
  if (plan->seen) check_path(in, plan->seen);
  check_texts(in, plan->roots, check_path);
  check_texts(in, plan->git_roots, check_path);
  check_texts(in, plan->shown_roots, check_path);
  check_texts(in, plan->released, check_path);
  check_texts(in, plan->approved, check_path);
  check_texts(in, plan->withholding, check_path);
  check_texts(in, plan->unjudged, check_path);
  check_texts(in, plan->guarded, check_path);
  check_texts(in, plan->helper, check_text);
  for (size_t i = 0; i < plan->data.count; i++) {
    const struct bytes content = LIST_AT(plan->data, struct bytes, i);
    require((const char *)content.at >= in.begin && content.length <= (size_t)(in.end - (const char *)content.at), "data lies outside of the plan");
  }
  const char *filter = (const char *)plan->filter;
  require(plan->filter_length > 0 && plan->filter_length <= 4096, "the filter has an impossible length");
  require(filter >= in.begin && plan->filter_length * 8 <= (size_t)(in.end - filter), "the filter lies outside of the plan");
  check_mounts(in, plan);
  check_names(in, plan);
  check_others(in, plan);
  check_network(in, plan);
}

static void release(struct plan *plan) {
  struct list *const lists[] = {&plan->arguments, &plan->environment, &plan->mounts, &plan->roots, &plan->git_roots, &plan->shown_roots, &plan->netlink, &plan->listeners, &plan->sysctls, &plan->hits, &plan->names, &plan->released, &plan->approved, &plan->withholding, &plan->unjudged, &plan->guarded, &plan->rules, &plan->cgroups, &plan->helper, &plan->data};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->items);
}

typedef const char *decode(struct plan *plan, uint8_t *bytes, size_t length);
typedef void check(struct bounds in, const struct plan *plan);

static void decode_copy(const uint8_t *data, size_t size, decode *decode, check *check) {
  static struct plan plan;
  /* A copy of exactly this size, so that the sanitizer sees the first byte behind it. */
  uint8_t *bytes = malloc(size ? size : 1);
  if (!bytes) return;
  if (size) memcpy(bytes, data, size);
  if (!setjmp(failed)) {
    const char *wrong = decode(&plan, bytes, size);
    if (wrong) require(wrong[0], "a refusal says nothing");
    else check((struct bounds){(const char *)bytes, (const char *)bytes + size}, &plan);
  }
  release(&plan);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  decode_copy(data, size, plan_decode, check_plan);
  decode_copy(data, size, command_decode, check_command);
  return 0;
}
