/* Decides by its content whether a file under an ordinary name holds a secret: a private key, a token whose form names
 * its vendor, a password in a URL, an assignment to a name such as `db_password`, or a single long word. Placeholders
 * and references to variables are no secrets. Reads the first 64 KiB. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "secret.h"

enum { MOST_READ = 65536, MOST_JUDGED = 16 << 20, LONGEST_NAME = 64, LEAST_TOKEN = 16 };

struct text {
  const char *at, *end;
};

static size_t size_of(struct text text) {
  return (size_t)(text.end - text.at);
}

static bool contains(struct text text, const char *word) {
  for (size_t length = strlen(word); size_of(text) >= length; text.at++)
    if (strncasecmp(text.at, word, length) == 0) return true;
  return false;
}

static bool begins_with(struct text text, const char *word) {
  size_t length = strlen(word);
  return size_of(text) >= length && strncasecmp(text.at, word, length) == 0;
}

static bool ends_with(struct text text, const char *word) {
  size_t length = strlen(word);
  return size_of(text) >= length && strncasecmp(text.end - length, word, length) == 0;
}

static bool equals(struct text text, const char *word) {
  return size_of(text) == strlen(word) && begins_with(text, word);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_word(char c) {
  return isalnum((uint8_t)c) || c == '_' || c == '-' || c == '.';
}

static bool is_token_part(char c) {
  return isalnum((uint8_t)c) || (c && strchr("_-+/=.~", c));
}

/* The name of a field, such as `NextToken`, in a description of an interface. */
static bool is_camel_name(struct text value) {
  if (size_of(value) < 6 || memcmp(value.end - 5, "Token", 5) != 0) return false;
  for (const char *at = value.at; at < value.end; at++)
    if (!isalpha((uint8_t)*at)) return false;
  return true;
}

/* Encrypted, a reference to another place, a template, or a word that people write in place of a secret. */
static bool is_placeholder(struct text value) {
  static const char *const beginnings[] = {"$", "<", "{", "%", "[", "(", "*", "!", "@", "ENC[", "env:", "vault:", "op://", "ref+", "file:", "arn:aws:secretsmanager", "secretsmanager:", "keyring:", "http://", "https://", "./", "../", "~/", "/etc/", "/run/", "/var/", "/home/", "/usr/", "/opt/"};
  static const char *const words[] = {"${", "{{", "$(", "...", "xxx", "changeme", "change-me", "change_me", "change this", "example", "your", "placeholder", "replace", "redacted", "hidden-by", "dummy", "insert", "todo", "fixme", "fake", "sample", "<"};
  static const char *const plain[] = {"password", "passwd", "pass", "secret", "token", "postgres", "root", "admin", "guest", "mysql", "test", "testing", "string", "null", "none", "true", "false", "undefined", "default", "optional", "required", "minioadmin", "localhost"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (begins_with(value, beginnings[i])) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (contains(value, words[i])) return true;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (equals(value, plain[i])) return true;
  if (is_camel_name(value)) return true;
  const char *same = value.at;
  while (same < value.end && *same == *value.at) same++;
  return same == value.end;
}

static bool is_secret_name(struct text name) {
  static const char *const words[] = {"passw", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key", "privatekey", "private_key", "private-key", "credential", "encryption_key", "encryptionkey", "master_key", "masterkey", "signing_key", "signingkey", "_auth", "account_key", "accountkey", "connectionstring", "connection_string", "key-data", "key_data", "authorization"};
  static const char *const others[] = {"_file", "file", "_path", "path", "url", "uri", "endpoint", "name", "dir", "_id", "-id", "keyid", "_type", "type", "_ttl", "ttl", "_expiry", "expires", "expires_in", "length", "_env", "policy", "_at", "version", "algorithm", "provider", "providers", "manager", "helper", "tokens", "enabled", "required", "protected", "existingsecret", "secretref"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ends_with(name, others[i])) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (contains(name, words[i])) return true;
  return ends_with(name, "pwd") || equals(name, "pass") || equals(name, "psk") || ends_with(name, "_pass") || ends_with(name, ".pass") || ends_with(name, "-pass");
}

/* Long, with digits among the letters. */
static bool is_random(struct text value, size_t least) {
  bool digits = false, letters = false;
  for (const char *at = value.at; at < value.end; at++) {
    if (!is_token_part(*at)) return false;
    digits |= isdigit((uint8_t)*at) != 0;
    letters |= isalpha((uint8_t)*at) != 0;
  }
  return size_of(value) >= least && digits && letters;
}

static bool is_secret_value(struct text name, struct text value) {
  if (size_of(value) < 6 || memchr(value.at, '(', size_of(value))) return false;
  bool numeric = true;
  for (const char *at = value.at; at < value.end; at++) numeric &= isdigit((uint8_t)*at) || *at == '.';
  if (numeric && !contains(name, "passw")) return false;
  return (is_secret_name(name) || is_random(value, 20)) && !is_placeholder(value);
}

static struct text trimmed(struct text text) {
  while (text.at < text.end && isspace((uint8_t)*text.at)) text.at++;
  while (text.at < text.end && isspace((uint8_t)text.end[-1])) text.end--;
  return text;
}

/* The name before a separator, as in `name = x`, `"name": x` and `export NAME=x`. */
static struct text name_before(struct text all, const char *separator) {
  const char *end = separator;
  while (end > all.at && is_blank(end[-1])) end--;
  if (end > all.at && (end[-1] == '"' || end[-1] == '\'')) end--;
  const char *begin = end;
  while (begin > all.at && end - begin < LONGEST_NAME && is_word(begin[-1])) begin--;
  return (struct text){begin, end};
}

/* After `Authorization:`. */
static const char *const schemes[] = {"basic ", "bearer ", "token "};

static struct text value_after(struct text all, const char *separator) {
  const char *begin = separator + 1;
  if (begin < all.end && *begin == '>') begin++; /* `=>` */
  while (begin < all.end && is_blank(*begin)) begin++;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (begins_with((struct text){begin, all.end}, schemes[i])) begin += strlen(schemes[i]);
  char quote = begin < all.end && (*begin == '"' || *begin == '\'') ? *begin++ : 0;
  const char *end = begin;
  while (end < all.end && *end != '\n' && *end != '\r' && (quote ? *end != quote : !strchr(" \t,;}\"'<", *end))) end++;
  return (struct text){begin, end};
}

/* `name = x`, `"name": x`, `<name>x`, `define('NAME', 'x')`. */
static bool is_separator(struct text all, const char *at) {
  bool quoted = at > all.at && (at[-1] == '\'' || at[-1] == '"');
  return *at == '=' || *at == ':' || *at == '>' || (*at == ',' && quoted);
}

/* `'NAME'` in `define( 'NAME', 'x')`. In a list, a comma separates values. */
static bool is_first_argument(struct text all, struct text name) {
  const char *before = name.at - 1;
  if (before <= all.at || *before != name.end[0]) return false;
  do before--;
  while (before > all.at && is_blank(*before));
  return *before == '(';
}

/* `"auth"` is that of a container registry, with a login in base64. */
static bool is_assigned_name(struct text name) {
  return is_secret_name(name) || ends_with(name, "_key") || equals(name, "auth");
}

/* Attack: `password=password=…` is one value, and not thousands that end at the same place. */
static bool is_assignment(struct text all, const char *separator, const char **judged) {
  struct text name = name_before(all, separator);
  if (*separator == ',' && !is_first_argument(all, name)) return false;
  if (size_of(name) < 2 || !is_assigned_name(name)) return false;
  struct text value = value_after(all, separator);
  *judged = value.end;
  return is_secret_value(name, value);
}

/* `://user:password@host`, where the password is not the user's name again, and `://token@host`. */
static bool is_login(struct text all, const char *scheme_end) {
  const char *user = scheme_end + 3, *colon = NULL, *at = user;
  while (at < all.end && *at != '@' && *at != '/' && !isspace((uint8_t)*at) && *at != '"' && *at != '\'' && at - user < 512) {
    if (*at == ':' && !colon) colon = at;
    at++;
  }
  if (at >= all.end || *at != '@') return false;
  if (!colon) return is_random((struct text){user, at}, 20) && !is_placeholder((struct text){user, at});
  struct text password = {colon + 1, at};
  bool repeated = size_of(password) == (size_t)(colon - user) && memcmp(user, password.at, size_of(password)) == 0;
  return size_of(password) >= 4 && !repeated && !is_placeholder(password);
}

/* Attack: `/xoxp-/xoxp-…` are thousands of short tokens, and not one that is read a thousand times. */
static bool is_vendors_token(struct text all, const char *at) {
  static const char *const prefixes[] = {"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "sk-ant-", "sk-proj-", "sk_live_", "rk_live_", "whsec_", "AKIA", "ASIA", "xoxb-", "xoxp-", "xoxa-", "xapp-", "AIza", "npm_", "pypi-", "SG.", "hf_", "dop_v1_", "dckr_pat_", "lin_api_", "shpat_", "shpss_", "ya29.", "hvs.", "sntrys_", "GOCSPX-", "AGE-SECRET-KEY-1", "eyJhbGciOi", "PMAK-", "dapi", "figd_", "ATATT3", "rubygems_", "CLOJARS_", "ABIA", "ACCA", "ABSK", "CFPAT-", "HRKU-", "NRAK-", "bkua_", "cfat_", "cfut_", "dckr_oat_", "dp.st.", "dp.pt.", "dt0c01.", "figoh_", "fm2_", "fo1_", "glc_", "glsa_", "glptt-", "gloas-", "gsk_", "hvb.", "hvr.", "lin_oauth_", "lsv2_", "nfp_", "ntn_", "nvapi-", "ops_", "phx_", "pnu_", "pplx-", "pscale_", "pul-", "r8_", "sb_secret_", "sbp_", "sgp_", "shpca_", "shppa_", "sk-or-v1-", "sk-lf-", "sntryu_", "sq0atp-", "sq0csp-", "sqa_", "sqp_", "squ_", "tgp_v1_", "tskey-", "vcp_", "xai-", "xkeysib-"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i]);
    if ((size_t)(all.end - at) < length || memcmp(at, prefixes[i], length) != 0) continue;
    const char *end = at + length;
    /* Some are base64: `/` ends a token only once it is long enough to judge. */
    while (end < all.end && (is_word(*end) || ((size_t)(end - at) < length + LEAST_TOKEN && is_token_part(*end)))) end++;
    struct text rest = {at + length, end};
    if (is_random(rest, LEAST_TOKEN) && !is_placeholder(rest)) return true;
  }
  return false;
}

static bool is_private_key(struct text all, const char *at) {
  const char *line = memchr(at, '\n', (size_t)(all.end - at));
  struct text rest = {at, line && line - at < 80 ? line : at + 80 < all.end ? at + 80 : all.end};
  return begins_with(rest, "-----BEGIN ") && contains(rest, "PRIVATE KEY");
}

/* A file that is nothing but a secret. */
static bool is_lone_word(struct text all) {
  struct text word = trimmed(all);
  if (size_of(word) < 12 || size_of(word) > 4096 || is_placeholder(word)) return false;
  for (const char *at = word.at; at < word.end; at++)
    if (!is_token_part(*at)) return false;
  const char *equal = memchr(word.at, '=', size_of(word));
  return isalnum((uint8_t)*word.at) && (!equal || word.end - equal <= 2);
}

/* `#define SECRET_PASS "…"`, as in the sketches of Arduino. */
static bool is_definition(struct text all, const char *at) {
  static const char word[] = "#define ";
  if (!begins_with((struct text){at, all.end}, word)) return false;
  const char *name = at + strlen(word), *end = name;
  while (end < all.end && is_word(*end)) end++;
  if (end >= all.end || !is_blank(*end)) return false;
  struct text value = value_after(all, end);
  return is_assigned_name((struct text){name, end}) && value.at[-1] == '"' && is_secret_value((struct text){name, end}, value);
}

/* Browsers and password managers export a table with these columns. */
static bool is_password_table(struct text all) {
  const char *end = memchr(all.at, '\n', size_of(all));
  struct text header = {all.at, end ? end : all.end};
  return end && memchr(all.at, ',', size_of(header)) && contains(header, "url") && contains(header, "username") && contains(header, "password");
}

static bool holds(struct text all) {
  if (begins_with(all, "PuTTY-User-Key-File") || is_lone_word(all) || is_password_table(all)) return true;
  const char *judged = all.at;
  for (const char *at = all.at; at < all.end; at++) {
    bool first = at == all.at || !is_word(at[-1]);
    if (at >= judged && is_separator(all, at) && is_assignment(all, at, &judged)) return true;
    if (*at == ':' && all.end - at > 3 && at[1] == '/' && at[2] == '/' && is_login(all, at)) return true;
    if (*at == '#' && is_definition(all, at)) return true;
    if (*at == '-' && is_private_key(all, at)) return true;
    if (first && isalpha((uint8_t)*at) && is_vendors_token(all, at)) return true;
  }
  return false;
}

/* A device could act when it is opened, and a FIFO would wait. -1 with errno 0 for what holds no content. */
static int open_regular(int parent, const char *entry) {
  char link[32];
  struct stat st;
  int found = openat(parent, entry, O_PATH | O_CLOEXEC);
  if (found < 0) {
    if (errno == ENOENT || errno == ELOOP || errno == ENOTDIR) errno = 0; /* a link that leads nowhere */
    return -1;
  }
  bool regular = fstat(found, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", found);
  int fd = regular ? open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  int error = regular ? errno : 0;
  close(found);
  errno = error;
  return fd;
}

bool holds_secret(int parent, const char *entry, size_t *judged) {
  static char content[MOST_READ];
  int fd = open_regular(parent, entry);
  /* Attack: `chmod` by its owner opens a file that could not be read here. */
  if (fd < 0) return errno != 0;
  /* Attack: more files than anyone would look through. */
  ssize_t length = *judged < MOST_JUDGED ? pread(fd, content, sizeof content, 0) : -1;
  close(fd);
  if (length < 0) return true;
  *judged += (size_t)length;
  return holds((struct text){content, content + length});
}
