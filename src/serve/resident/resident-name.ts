import { statSync, type BigIntStats } from 'node:fs';
import process from 'node:process';
import { findInstallation } from '../../place/host/installation.ts';

/** Files that make one version of an installation. Absolute. */
export interface InstalledFiles {
  readonly node: string;
  /** The file that Node runs. */
  readonly script: string;
  readonly launcher: string;
}

/** Of the installation that this process is of. Throws `HF_LAUNCHER_MISSING`. */
export function installedFiles(): InstalledFiles {
  return { node: process.execPath, script: process.argv[1] ?? '', launcher: findInstallation().launcher };
}

/**
 * What listens: `front` for runs, `serve` for the protocol of `holdfast serve`; `lock` is the right to be the only one.
 */
export type ResidentPlace = 'front' | 'serve' | 'lock';

/**
 * Names in the runtime directory of one version's supervisor. Another version, also one that is in the same place,
 * has others. As `resident_name` of native/src/reach.
 */
export function residentName(place: ResidentPlace, { node, script, launcher }: InstalledFiles): string {
  const hash = [node, script, launcher].map(identity).reduce(mix, 0xcbf29ce484222325n);
  return `${place}-${hash.toString(16).padStart(16, '0')}.${place === 'lock' ? 'lock' : 'sock'}`;
}

/** The change time: an update may give a file the size, the time and even the inode of the one before. */
function identity(path: string): string {
  const stats = statSync(path, { bigint: true });
  return `${stats.dev}:${stats.ino}:${stats.size}:${seconds(stats, 'mtimeNs')}:${seconds(stats, 'ctimeNs')}\n`;
}

function seconds(stats: BigIntStats, which: 'mtimeNs' | 'ctimeNs'): string {
  return `${stats[which] / 1_000_000_000n}.${stats[which] % 1_000_000_000n}`;
}

/** FNV-1a with 64 bits. It keeps versions apart; who may listen is decided by the directory and the peer. */
function mix(hash: bigint, text: string): bigint {
  let mixed = hash;
  for (const byte of Buffer.from(text)) mixed = BigInt.asUintN(64, (mixed ^ BigInt(byte)) * 0x100000001b3n);
  return mixed;
}
