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
  /** As the policy is now; undefined while it is invalid. */
  readonly settings: () => LlmLog | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps texts of calls where the policy says so, for as long and as many as it says. */
export interface CallLog {
  /** Undefined where nothing is to be kept. */
  readonly open: (call: LookedCall) => KeptCall | undefined;
}

/** What other sessions write is seen at the latest when this share of the most has been written here. */
const share = 20;

/** What is too old goes at once, whether or not anything is kept by now. */
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
      // What came meanwhile may not have been seen.
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

/** The gateway knows rules again that are the same objects. */
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

/** Nobody could look for anything, so nothing is kept. */
const nothing: Redactor = { json: () => undefined, text: () => '' };

interface Retention {
  /** Milliseconds. */
  readonly keep: number;
  /** Bytes. */
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What is being written is younger: a crash left it. */
const oldestPart = 86_400_000;

/**
 * Removes what is too old, then the oldest until nine tenths of the most are left, so that not every call has to look.
 * Other sessions may do the same at the same time. Returns the bytes that are left. Throws nothing: what cannot be
 * removed is tried again later.
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
