import { closeSync } from 'node:fs';
import { oPath, openAt } from '../../kernel/index.ts';
import type { FileAccess } from '../../policy/request.ts';
import type { FileCall } from '../calls/file-calls.ts';
import type { RefusedAs, Ruling } from '../law/file-law.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import { isPlainPath } from '../view/box-view.ts';
import { toBytes } from '../view/byte-text.ts';
import { isErrno, makeThere, type OpenedPath, openThere, type Wish } from './open-path.ts';
import type { Pipes } from './pipes.ts';
import { openDevice, openProcessFile, type Special, type Terminals } from './special-files.ts';
import { errno, errnoOf, tell, type Whole } from './whole.ts';

export type FileOpenCall = Extract<FileCall, { kind: 'open' }>;

export interface OpenDesk {
  readonly whole: Whole;
  readonly pipes: Pipes;
  readonly terminals: Terminals;
  /** Whether a rule decides the call instead. */
  readonly byRule: (of: OpenCase, path: string) => boolean;
}

export interface OpenCase {
  readonly notification: SeccompNotification;
  readonly call: FileOpenCall;
}

/**
 * Opens a granted file for the box, and puts the descriptor into the caller. Throws `KernelError` with the kernel's own
 * errno.
 */
export function openWhole(desk: OpenDesk, of: OpenCase, words: string): void {
  const {
    supervision: { view },
  } = desk.whole;
  // Most paths lead through no symlink, and need no look-up first.
  if (isPlainPath(words)) {
    try {
      if (attempt(desk, of, { path: words, tries: 'first' }) === 'answered') return;
    } catch (error) {
      if (!isErrno(error, errno.loop)) throw error;
    }
  }
  const real = view.locate(words, of.call.at.end);
  if (real === undefined || !real.startsWith('/')) return fail(desk, of, errno.noEntry);
  attempt(desk, of, { path: real, tries: 'last' });
}

type NotGranted = Exclude<Ruling, { kind: 'granted' }>;

interface Attempt {
  readonly path: string;
  /** A refused path may be a symlink to a granted file. */
  readonly tries: 'first' | 'last';
}

function attempt(desk: OpenDesk, of: OpenCase, { path, tries }: Attempt): 'answered' | 'elsewhere' {
  const { whole } = desk;
  const { flags } = of.call;
  const existing = existingOperations(flags);
  const refusal = (ruling: NotGranted, operation: FileAccess): 'answered' | 'elsewhere' => {
    if (ruling.kind !== 'refused') return special(desk, of, { path, ruling });
    if (tries === 'first') return 'elsewhere';
    if (ruling.how !== 'absent') tell(whole, operation, path);
    fail(desk, of, errnoOf(ruling.how, operation));
    return 'answered';
  };
  const wish: Wish = { path, flags, mode: of.call.mode, thread: of.notification.thread };
  if ((flags & openFlags.create) === 0 || (flags & openFlags.exclusive) === 0) {
    const [held] = existing.flatMap(
      (operation): readonly { readonly ruling: NotGranted; readonly operation: FileAccess }[] => {
        const ruling = whole.law.rule(operation, path);
        return ruling.kind === 'granted' ? [] : [{ ruling, operation }];
      },
    );
    const mayBeMade =
      (flags & openFlags.create) !== 0 && held?.ruling.kind === 'refused' && held.ruling.how === 'absent';
    if (held !== undefined && !mayBeMade) return refusal(held.ruling, held.operation);
    if (held === undefined) {
      if (desk.byRule(of, path)) return 'answered';
      const opened = openOrNothing(whole, wish);
      if (opened !== undefined) return handOver(desk, of, { opened, path });
    }
  }
  const creation = whole.law.rule('create', path);
  if (creation.kind !== 'granted') return refusal(creation, 'create');
  if (desk.byRule(of, path)) return 'answered';
  return handOver(desk, of, { opened: made(whole, wish), path });
}

function existingOperations(flags: number): readonly FileAccess[] {
  const mode = flags & openFlags.accessMode;
  const writes = mode !== 0 || (flags & openFlags.truncate) !== 0;
  return [...(mode === openFlags.writeOnly ? [] : (['read'] as const)), ...(writes ? (['write'] as const) : [])];
}

/** Undefined if nothing exists and a file may be made. A pipe without a reader cannot be opened yet. */
function openOrNothing(whole: Whole, wish: Wish): OpenedPath | undefined {
  try {
    return openThere(whole, wish);
  } catch (error) {
    if (isErrno(error, errno.noEntry) && (wish.flags & openFlags.create) !== 0) return undefined;
    if (!isErrno(error, errno.noDevice)) throw error;
    return {
      kind: 'pipe',
      descriptor: openAt(whole.supervision.view.root, toBytes(wish.path.slice(1)), {
        flags: oPath | openFlags.noFollow,
        resolve: asJudged,
      }),
    };
  }
}

/** Another process may have made it meanwhile. */
function made(whole: Whole, wish: Wish): OpenedPath {
  try {
    return makeThere(whole, wish);
  } catch (error) {
    if (!isErrno(error, errno.exists) || (wish.flags & openFlags.exclusive) !== 0) throw error;
    const held = existingOperations(wish.flags).find(
      (operation) => whole.law.rule(operation, wish.path).kind !== 'granted',
    );
    return held === undefined ? openThere(whole, wish) : { kind: 'refused', how: 'hidden' };
  }
}

interface Result {
  readonly opened: OpenedPath;
  readonly path: string;
}

function handOver(desk: OpenDesk, of: OpenCase, { opened, path }: Result): 'answered' {
  switch (opened.kind) {
    case 'file':
      inject(desk, of, opened.descriptor);
      break;
    case 'pipe':
      desk.pipes.open(of.notification.id, opened.descriptor, of.call.flags);
      break;
    case 'refused':
      refuseOtherName(desk, of, { how: opened.how, path });
      break;
    case 'other':
      fail(desk, of, errno.noDevice);
  }
  return 'answered';
}

function refuseOtherName(
  desk: OpenDesk,
  of: OpenCase,
  { how, path }: { readonly how: RefusedAs; readonly path: string },
): void {
  tell(desk.whole, how === 'hidden' ? 'read' : 'write', path);
  fail(desk, of, errnoOf(how, 'write'));
}

interface Found {
  readonly path: string;
  readonly ruling: Exclude<Ruling, { kind: 'granted' | 'refused' }>;
}

function special(desk: OpenDesk, of: OpenCase, { path, ruling }: Found): 'answered' {
  const { whole, terminals } = desk;
  const { flags } = of.call;
  const wish = { path, flags, thread: of.notification.thread, terminals };
  switch (ruling.kind) {
    case 'file':
      if (existingOperations(flags).includes('write')) fail(desk, of, errno.readOnly);
      else inject(desk, of, whole.files.open(ruling.file));
      return 'answered';
    case 'devices':
      return specialResult(desk, of, openDevice(whole, wish));
    case 'processes':
      return specialResult(desk, of, openProcessFile(whole, wish));
  }
}

function specialResult(desk: OpenDesk, of: OpenCase, found: Special): 'answered' {
  switch (found.kind) {
    case 'open':
    case 'pipe':
      inject(desk, of, found.descriptor);
      break;
    case 'named':
      openNamed(desk, of, found.path);
      break;
    case 'failed':
      fail(desk, of, found.errno);
  }
  return 'answered';
}

/**
 * A link of a process may lead to a directory, with more path behind it. A link that leads to itself, or to another
 * such link, leads nowhere.
 */
function openNamed(desk: OpenDesk, of: OpenCase, path: string): void {
  const real = desk.whole.supervision.view.locate(path, of.call.at.end);
  if (real?.startsWith('/') !== true || real.startsWith('/proc/')) fail(desk, of, errno.loop);
  else attempt(desk, of, { path: real, tries: 'last' });
}

function inject(
  {
    whole: {
      supervision: { listener },
    },
  }: OpenDesk,
  { notification: { id }, call: { flags } }: OpenCase,
  descriptor: number,
): void {
  try {
    listener.inject(id, descriptor, { closeOnExec: (flags & openFlags.closeOnExec) !== 0 });
  } finally {
    closeSync(descriptor);
  }
}

function fail(
  {
    whole: {
      supervision: { listener },
    },
  }: OpenDesk,
  { notification: { id } }: OpenCase,
  number: number,
): void {
  listener.answer(id, -number);
}
