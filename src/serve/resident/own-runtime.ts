/**
 * Variables that decide where a process of ours keeps things and how its runtime behaves. Of all others a supervisor
 * hears with each run.
 */
const own =
  /^(?:HOME|PATH|LANG|LC_ALL|TZ|XDG_RUNTIME_DIR|XDG_STATE_HOME|XDG_CONFIG_HOME|NODE_.*|SSL_CERT_.*|OPENSSL_.*|UV_.*)$/u;

/** Of those, the ones that every run must share with its supervisor: Node has read them when it started. */
const shared = /^(?:HOME|TZ|NODE_.*|SSL_CERT_.*|OPENSSL_.*|UV_.*)$/u;

/** What a supervisor is started with: no secret of the run that starts it. */
export function ownRuntime(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      own.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

/** Whether code would run the same with either. */
export function sameRuntime(
  one: Readonly<Record<string, string | undefined>>,
  other: Readonly<Record<string, string | undefined>>,
): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => !shared.test(name) || one[name] === other[name],
  );
}
