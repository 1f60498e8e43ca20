import process from 'node:process';

export interface EnteringOptions {
  /** Overlaid files: file, path. */
  readonly files: readonly (readonly [string, string])[];
  /** Undefined: the test's user. */
  readonly uid: number | undefined;
  readonly argv: readonly string[];
}

const mounts = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 99; shift 2; done; shift; exec "$@"';

/** A command in its own mount namespace, where other files cover the machine's. */
export function entering({ files, uid, argv }: EnteringOptions): readonly string[] {
  const own = process.getuid?.() ?? 0;
  const namespace = own === 0 ? ['unshare', '-m'] : ['unshare', '-Urm'];
  return [...namespace, 'sh', '-c', mounts, 'enter', ...files.flat(), '--', ...becoming(own, uid), ...argv];
}

/**
 * Without root rights, a user may mount only as root of a user namespace. In a namespace below, the user becomes itself
 * again.
 */
function becoming(own: number, uid: number | undefined): readonly string[] {
  if (own !== 0) return ['unshare', '-U', `--map-user=${own}`, `--map-group=${process.getgid?.() ?? own}`];
  return uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
}
