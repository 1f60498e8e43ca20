import process from 'node:process';

export interface EnteringOptions {
  /** What lies over what: file, path. */
  readonly files: readonly (readonly [string, string])[];
  /** Undefined: the user who runs the tests. */
  readonly uid: number | undefined;
  readonly argv: readonly string[];
}

const mounts = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 99; shift 2; done; shift; exec "$@"';

/** A command in a mount namespace of its own, where other files lie over the machine's. */
export function entering({ files, uid, argv }: EnteringOptions): readonly string[] {
  const own = process.getuid?.() ?? 0;
  const namespace = own === 0 ? ['unshare', '-m'] : ['unshare', '-Urm'];
  return [...namespace, 'sh', '-c', mounts, 'enter', ...files.flat(), '--', ...becoming(own, uid), ...argv];
}

/** Anyone who is not root may mount only as root of a user namespace, and is itself again in one below. */
function becoming(own: number, uid: number | undefined): readonly string[] {
  if (own !== 0) return ['unshare', '-U', `--map-user=${own}`, `--map-group=${process.getgid?.() ?? own}`];
  return uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
}
