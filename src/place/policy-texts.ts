import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import type { StatePaths } from './host/state-paths.ts';
import { visitedPlaces } from '../kernel/visited-places.ts';

/** A policy file as it was read. */
export interface PolicyText {
  /** `session`: from one call, without a file. */
  readonly kind: 'managed' | 'user' | 'project' | 'session';
  readonly file: string;
  readonly text: string;
}

/** The policy that makes a session strict. */
export const strictRequest: PolicyText = { kind: 'session', file: '--strict', text: 'version = 1\nstrict = true\n' };

/** The policy of a session that shows no port, not even those of a policy file. */
export const withoutForwards: PolicyText = {
  kind: 'session',
  file: '--forward none',
  text: 'version = 1\n[network]\nforward = []\n',
};

export const projectFile = 'holdfast.toml';
const largestFile = 1 << 20;

/** Reads every policy file that applies to a workspace, in the order of authority. */
export function readPolicyTexts(paths: StatePaths, workspace: string): readonly PolicyText[] {
  return [
    readPolicyText('managed', paths.managedPolicy),
    readPolicyText('user', paths.userPolicy),
    readPolicyText('project', join(workspace, projectFile)),
  ].flatMap((text) => text ?? []);
}

/** Undefined if there is no such file. A policy that cannot be read never counts as missing. */
export function readPolicyText(kind: PolicyText['kind'], file: string): PolicyText | undefined {
  try {
    const text = readRegular(kind, file);
    return text === undefined ? undefined : { kind, file, text };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return undefined;
    throw unreadable(
      file,
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not valid UTF-8' : (code ?? String(error)),
    );
  }
}

function readRegular(kind: PolicyText['kind'], file: string): string | undefined {
  // A dangling link counts as existing: a repository could use one to hide a stricter policy.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  // Reading a FIFO would block, and /dev/zero has no end.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unreadable(file, 'it is not a regular file', 'name a file');
    // A project's policy can only narrow, so its writers gain nothing.
    if (kind !== 'project') refuseForeignWriters(file, stats.mode);
    if (stats.size > largestFile) {
      throw new HoldfastError(
        'HF_POLICY_TOO_LARGE',
        `${file} has ${stats.size} bytes, and the limit is ${largestFile}`,
        { remedy: 'split or shorten it' },
      );
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(fd));
  } finally {
    closeSync(fd);
  }
}

/**
 * Another user who writes a policy controls a box with its owner's rights. So does a user who can replace the file, or
 * a directory or link on the way to it.
 */
function refuseForeignWriters(file: string, mode: number): void {
  const places = visitedPlaces(file);
  // Attack: someone removes the path after the file is open, so that its permissions cannot be checked.
  if (places === undefined) throw unreadable(file, 'it was replaced while it was read');
  const open = (mode & othersMayWrite) !== 0 ? file : places.find(isReplaceable);
  if (open !== undefined) throw unreadable(file, `every user can write ${open}`, `run \`chmod o-w ${open}\``);
}

const othersMayWrite = 0o002;
const sticky = 0o1000;

/** A missing path is replaceable too. */
function isReplaceable(place: string): boolean {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && (stats.mode & (othersMayWrite | sticky)) === othersMayWrite);
}

function unreadable(file: string, reason: string, remedy = 'make it readable UTF-8, or remove it') {
  return new HoldfastError('HF_POLICY_UNREADABLE', `the policy ${file} cannot be used: ${reason}`, { remedy });
}
