import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { FoundFile, TrustLevel } from '../types.ts';
import type { TrustGrant } from './change-trust.ts';
import { objectsDirectory, sha256Of, sha256Pattern, type TrustPaths } from './layout.ts';
import { hasOwnDirectory, invalidFile, readOwnFile } from './write-own-file.ts';

export interface ApprovalsOptions {
  /** Real path of the workspace. */
  readonly root: string;
  readonly level: TrustLevel;
  readonly now: Date;
  /** Name of the signer, if no person was asked. */
  readonly signer?: string;
}

/**
 * Returns approvals of files as found and shown. Reads the files again, and throws `HF_TRUST_REFUSED` for all of them
 * if any bytes have changed since they were shown. Keeps no bytes of a file with secrets beside its fields.
 */
export function trustGrants(
  files: readonly FoundFile[],
  { root, level, now, signer }: ApprovalsOptions,
): readonly TrustGrant[] {
  return files.map((file) => {
    const { path, sha256, surface, fields, scripts } = file;
    const shown = [
      { path: file.target ?? path, sha256 },
      ...scripts.flatMap(({ path: script, sha256: hash }) =>
        hash === undefined ? [] : [{ path: script, sha256: hash }],
      ),
    ];
    const contents = shown.map((each): readonly [string, Buffer] => [each.sha256, bytesAsShown(root, each)]);
    return {
      entry: {
        path,
        sha256,
        surface: surface.name,
        level,
        approvedAt: now.toISOString(),
        ...(signer === undefined ? {} : { signer }),
        fields,
        scripts,
      },
      contents: new Map(surface.secrets === undefined ? contents : []),
    };
  });
}

interface Shown {
  readonly path: string;
  readonly sha256: string;
}

/** Returns the file's bytes, if they have this hash. Throws `HF_TRUST_REFUSED` otherwise. */
export function bytesAsShown(root: string, { path, sha256 }: Shown): Buffer {
  const bytes = read(join(root, path), path);
  if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes;
  throw new HoldfastError(
    'HF_TRUST_REFUSED',
    `${JSON.stringify(path)} has changed since you saw it: nothing was approved`,
    { remedy: 'look at it again with `holdfast trust diff`', details: { path } },
  );
}

/** Undefined for a missing or special file. Opening a FIFO would block. */
function read(path: string, name: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    if (stats.size > longestObject)
      throw new HoldfastError(
        'HF_TRUST_REFUSED',
        `${JSON.stringify(name)} has more than ${longestObject >> 20} MiB: nobody can have read it`,
        { remedy: 'nothing was approved; make it smaller, or leave it out', details: { path: name } },
      );
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Returns the approved bytes with this SHA-256. Throws `HF_TRUST_INVALID` if they are gone or changed. */
export function approvedBytes(paths: TrustPaths, sha256: string): Buffer {
  if (!sha256Pattern.test(sha256))
    throw new HoldfastError('HF_INTERNAL', `${JSON.stringify(sha256)} is not a SHA-256`, { remedy: 'report it' });
  const directory = objectsDirectory(paths);
  const path = join(directory, sha256);
  const bytes = hasOwnDirectory(directory) ? readOwnFile(path, longestObject) : undefined;
  if (bytes === undefined) throw invalidFile(path, 'is gone, but held approved content');
  if (sha256Of(bytes) !== sha256) throw invalidFile(path, 'has other bytes than were approved');
  return bytes;
}

/** Bytes. No larger file is ever approved. */
const longestObject = 64 << 20;
