/**
 * Variables that decide where our processes keep files, and how their runtime behaves. A supervisor gets all others
 * with each run.
 */
const own =
  /^(?:HOME|PATH|LANG|LC_ALL|TZ|XDG_RUNTIME_DIR|XDG_STATE_HOME|XDG_CONFIG_HOME|NODE_.*|SSL_CERT_.*|OPENSSL_.*|UV_.*)$/u;

/** Those that every run must share with its supervisor, because Node has read them at its start. */
const shared = /^(?:HOME|TZ|NODE_.*|SSL_CERT_.*|OPENSSL_.*|UV_.*)$/u;

/** Returns the environment of a new supervisor. It holds no secret of the run that starts it. */
export function ownRuntime(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      own.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

/** Returns whether code runs the same with either environment. */
export function sameRuntime(
  one: Readonly<Record<string, string | undefined>>,
  other: Readonly<Record<string, string | undefined>>,
): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => !shared.test(name) || one[name] === other[name],
  );
}
