import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { ShownFiles } from '../../place/shown-files.ts';
import { withheldPlace } from '../../place/withheld-place.ts';
import type { Mount } from '../../plan/mount.ts';
import { scriptName } from '../discover/named-files.ts';
import type { TrustEntry } from '../types.ts';

export interface WithheldIn {
  /** Real path of the workspace. */
  readonly root: string;
  /** Components of the withheld names. */
  readonly names: readonly (readonly string[])[];
}

/**
 * Returns the approved files that a box gets. Each is read once: the box gets the hashed bytes, so nothing changes
 * between check and use. A file that differs from its approval stays withheld, and so does one that names a changed
 * script.
 */
export function shownFiles(entries: readonly TrustEntry[], { root, names }: WithheldIn): ShownFiles {
  const read = memoised((path: string) => readBelow(root, path));
  const directories = new Map<string, Mount>();
  const files = new Map<string, Mount>();
  const approved = new Set<string>();
  const stale: string[] = [];
  const put = (target: string, { mode, bytes }: CurrentFile): void => {
    if (!files.has(target))
      files.set(target, { kind: 'file', target, mode, content: bytes.toString('base64'), encoding: 'base64' });
  };
  for (const entry of entries) {
    const place = withheldPlace(names, entry.path);
    if (place === undefined) continue;
    const file = read(entry.path);
    if (
      file?.sha256 !== entry.sha256 ||
      !entry.scripts.every((script) => read(script.path)?.sha256 === script.sha256)
    ) {
      if (file !== undefined) stale.push(entry.path);
      continue;
    }
    if (place.kind === 'in-directory') {
      const directory = realDirectory(root, place.directory);
      if (directory === undefined) continue;
      directories.set(directory, { kind: 'tmpfs', target: directory, mode: 0o755, size: 64 << 20, made: 'late' });
      approved.add(join(root, place.directory)).add(directory);
      put(join(directory, entry.path.slice(place.directory.length)), file);
    } else put(join(root, file.path), file);
    approved.add(join(root, entry.path)).add(join(root, file.path));
    for (const script of entry.scripts) {
      const named = read(script.path);
      if (named !== undefined && isProgram(named) && withheldPlace(names, named.path) === undefined)
        put(join(root, named.path), named);
    }
  }
  return {
    mounts: [...directories.values(), ...files.values()],
    approved: [...approved],
    stale: stale.filter((path) => !approved.has(join(root, path))),
  };
}

/**
 * A mount needs a path without links. Undefined for a link to the workspace itself, because a box needs the workspace's
 * content.
 */
function realDirectory(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(root, path));
    return real.startsWith(`${root}/`) ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Other named files (the `package.json` and the README that a CLAUDE.md imports) are only compared when a box starts.
 * They stay writable in it, because people edit them.
 */
function isProgram({ path, mode }: CurrentFile): boolean {
  return (mode & 0o111) !== 0 || scriptName.test(path);
}

interface CurrentFile {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly mode: number;
  /** Path relative to the root, with symlinks followed. */
  readonly path: string;
}

/** Bytes. `discover` hashes no larger file either. */
const longest = 64 << 20;

/** Undefined for a missing or special file, and for one outside of the workspace. */
function readBelow(root: string, path: string): CurrentFile | undefined {
  try {
    const real = realpathSync(join(root, path));
    if (!real.startsWith(`${root}/`)) return undefined;
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > longest) return undefined;
      const bytes = readFileSync(fd);
      return {
        bytes,
        sha256: process.getBuiltinModule('node:crypto').hash('sha256', bytes),
        mode: 0o444 | (stats.mode & 0o111),
        path: real.slice(root.length + 1),
      };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function memoised<Result>(work: (path: string) => Result): (path: string) => Result {
  const known = new Map<string, Result>();
  return (path) => {
    if (!known.has(path)) known.set(path, work(path));
    return known.get(path) as Result;
  };
}
