import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DlpRule, LlmLog } from '../../../policy/llm/types.ts';
import type { LookedCall } from '../types.ts';
import { fileNamed, timeOfCallId } from './call-id.ts';
import { type KeptCall, openKeptCall } from './kept-call.ts';
import { createRedactor, lookedForIn, type Redactor } from './redactor.ts';

export interface CallLogOptions {
  readonly directory: string;
  readonly session: string;
  readonly workspace: string;
  /** Returns the policy's current settings. Undefined while it is invalid. */
  readonly settings: () => LlmLog | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps texts of calls if the policy requires it, up to its limits of time and size. */
export interface CallLog {
  /** Returns a recorder for one call. Undefined if nothing is to be kept. */
  readonly open: (call: LookedCall) => KeptCall | undefined;
}

/** A twentieth of the limit. After writing this much, the log also counts the files of other sessions. */
const share = 20;

/** Also removes expired calls at once, even if nothing is kept any more. */
export function createCallLog({ directory, session, workspace, settings, now }: CallLogOptions): CallLog {
  let left = 0;
  let written = 0;
  let pruning: Promise<void> | undefined;
  const prune = ({ keep, most }: LlmLog): void => {
    if (pruning !== undefined) return;
    written = 0;
    pruning = pruneCalls(directory, { keep, most, now: now() }).then((bytes) => {
      left = bytes;
      pruning = undefined;
      // Calls that were added in the meantime may have been missed.
      look();
    });
  };
  const look = (): void => {
    const log = settings();
    if (log !== undefined && written > 0 && (left + written > log.most || written > log.most / share)) prune(log);
  };
  const onKept = (size: number): void => {
    written += size;
    look();
  };
  const redactorFor = redactors();
  const log = settings();
  if (log !== undefined) prune(log);
  return {
    open: (call) =>
      call.settings.log.texts === 'not-kept'
        ? undefined
        : openKeptCall({ directory, session, workspace, onKept, redactor: redactorFor(call) }, call),
  };
}

/** Caches by identity, because the gateway returns the same objects for the same rules. */
function redactors(): (call: LookedCall) => Redactor {
  let made: { readonly of: readonly DlpRule[]; readonly rules: readonly DlpRule[] } = {
    of: [],
    rules: lookedForIn([]),
  };
  return ({ gateway, rules: of }) => {
    if (made.of.length !== of.length || of.some((rule, index) => rule !== made.of[index]))
      made = { of, rules: lookedForIn(of) };
    const rules = gateway.rulesFor(made.rules);
    return rules === undefined ? nothing : createRedactor({ rules, fakes: gateway.fakes });
  };
}

/** Used if no search is possible, so nothing is kept. */
const nothing: Redactor = { json: () => undefined, text: () => '' };

interface Retention {
  /** Milliseconds that a call is kept. */
  readonly keep: number;
  /** Most bytes in all. */
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A file that is still being written is younger than this. An older one was left by a crash. */
const oldestPart = 86_400_000;

/**
 * Removes expired calls, and then the oldest until nine tenths of the limit are left, so that not every call needs a
 * check. Other sessions may do the same at the same time. Returns the remaining bytes. Never throws: failed removals
 * are retried later.
 */
export async function pruneCalls(directory: string, retention: Retention): Promise<number> {
  const files = (await readdir(directory).catch(() => [])).flatMap((name) => {
    const file = fileNamed(name);
    return file === undefined ? [] : [{ ...file, path: join(directory, name), time: timeOfCallId(file.id) ?? 0 }];
  });
  const { keep, now } = retention;
  const old = files.filter(({ kind, time }) => now - time > (kind === 'part' ? oldestPart : keep));
  for (const { path } of old) await removed(path);
  const left = files.filter((file) => !old.includes(file)).toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return pruneBySize(left, retention);
}

async function pruneBySize(
  newestFirst: readonly { readonly path: string; readonly kind: 'call' | 'part' }[],
  { most }: Retention,
): Promise<number> {
  const sized: { readonly path: string; readonly kind: 'call' | 'part'; readonly size: number }[] = [];
  for (const file of newestFirst) sized.push({ ...file, size: await sizeOf(file.path) });
  const all = sized.reduce((sum, { size }) => sum + size, 0);
  if (all <= most) return all;
  let left = 0;
  for (const { path, kind, size } of sized) {
    if (kind === 'part' || left + size <= most * 0.9) left += size;
    else await removed(path);
  }
  return left;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function removed(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
