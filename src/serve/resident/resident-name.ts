import { statSync, type BigIntStats } from 'node:fs';
import process from 'node:process';
import { findInstallation } from '../../place/host/installation.ts';

/** Files of one version of an installation, as absolute paths. */
export interface InstalledFiles {
  readonly node: string;
  /** The file that Node runs. */
  readonly script: string;
  readonly launcher: string;
}

/** Returns the files of this process's installation. Throws `HF_LAUNCHER_MISSING`. */
export function installedFiles(): InstalledFiles {
  return { node: process.execPath, script: process.argv[1] ?? '', launcher: findInstallation().launcher };
}

/**
 * `front`: socket for runs. `serve`: socket for the protocol of `holdfast serve`. `lock`: the right to be the only
 * supervisor.
 */
export type ResidentPlace = 'front' | 'serve' | 'lock';

/**
 * Returns a name in the runtime directory for one version's supervisor. Other versions have other names, even at the
 * same path. Same as `resident_name` of native/src/reach.
 */
export function residentName(place: ResidentPlace, { node, script, launcher }: InstalledFiles): string {
  const hash = [node, script, launcher].map(identity).reduce(mix, 0xcbf29ce484222325n);
  return `${place}-${hash.toString(16).padStart(16, '0')}.${place === 'lock' ? 'lock' : 'sock'}`;
}

/** Uses the change time, because an update may keep a file's size, time and even inode. */
function identity(path: string): string {
  const stats = statSync(path, { bigint: true });
  return `${stats.dev}:${stats.ino}:${stats.size}:${seconds(stats, 'mtimeNs')}:${seconds(stats, 'ctimeNs')}\n`;
}

function seconds(stats: BigIntStats, which: 'mtimeNs' | 'ctimeNs'): string {
  return `${stats[which] / 1_000_000_000n}.${stats[which] % 1_000_000_000n}`;
}

/** FNV-1a with 64 bits. It only separates versions. The directory and the peer check decide who may listen. */
function mix(hash: bigint, text: string): bigint {
  let mixed = hash;
  for (const byte of Buffer.from(text)) mixed = BigInt.asUintN(64, (mixed ^ BigInt(byte)) * 0x100000001b3n);
  return mixed;
}

/**
 * Variables that decide where our processes keep files, and how their runtime behaves. A supervisor gets all others
 * with each run.
 */
const own =
  /^(?:HOME|PATH|LANG|LC_ALL|TZ|XDG_RUNTIME_DIR|XDG_STATE_HOME|XDG_CONFIG_HOME|NODE_.*|SSL_CERT_.*|OPENSSL_.*|UV_.*)$/u;

/** Variables that every run must share with its supervisor, because Node reads them only when it starts. */
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
