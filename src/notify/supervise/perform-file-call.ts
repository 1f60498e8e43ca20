import { closeSync, copyFileSync, fstatSync, openSync } from 'node:fs';
import { kernelCall, KernelError } from '../../kernel/index.ts';
import { fetchOperands } from '../calls/fetch.ts';
import type { FileCall } from '../calls/file-calls.ts';
import { type FileJudgement, isClosedByRule, isLeftToTheEnd, judgeFiles } from '../judge/judge-files.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { performChange } from '../perform/change.ts';
import { openFile, refuseMountPoint } from '../perform/mount-point.ts';
import { openFlags } from '../perform/open-flags.ts';
import type { PerformSide } from '../perform/side.ts';
import { umaskOf } from '../view/caller.ts';
import { answerWith, eacces } from './answer-call.ts';
import type { Supervision } from './context.ts';
import { keepWhatIsLost } from './keep.ts';
import type { PassedLately, QuickOpens } from './quick-opens.ts';

export interface Case {
  readonly supervision: Supervision;
  readonly notification: SeccompNotification;
  readonly call: FileCall;
  readonly passed: PassedLately;
  readonly quick: QuickOpens;
}

/** The real paths of a call, and the policy's decision about each operation. */
export interface JudgedFileCall extends Pick<Case, 'supervision' | 'notification' | 'call'> {
  readonly first: string;
  readonly second: string;
  readonly judgements: readonly FileJudgement[];
  readonly worst: FileJudgement;
}

export const noEntry = 2;

interface Where {
  readonly side: PerformSide;
  readonly first: string;
  readonly second: string;
}

/** Bytes. A larger file needs a grant instead, because the copy is in memory. */
const largest = 256 * 1024 * 1024;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;
const tooLarge = 27;

/** Whether the call may make a new name. Mounts cannot refuse new names. */
export function isMaking(call: FileCall): boolean {
  switch (call.kind) {
    case 'open':
      return (call.flags & openFlags.create) !== 0;
    case 'make-directory':
    case 'make-node':
    case 'symlink':
    case 'link':
    case 'rename':
      return true;
    case 'remove':
    case 'truncate':
    case 'mode':
    case 'owner':
    case 'times':
    case 'set-attribute':
    case 'remove-attribute':
      return false;
  }
}

export function leaveToKernel({ supervision, notification }: Pick<Case, 'supervision' | 'notification'>): void {
  // Without mounts the kernel would refuse too little.
  if (supervision.options.whole !== undefined) return supervision.listener.answer(notification.id, -noEntry);
  supervision.listener.resume(notification.id);
}

/** Performs a call on the host, because a rule closes the path to the box itself and now allows the call. */
export function onHost(judged: JudgedFileCall): void {
  const { supervision, notification, first, second, judgements } = judged;
  const { host, box } = supervision;
  // In a staged directory the host's file may be read, but not changed.
  const isReachable = (path: string): boolean => (host.isStaged(path) ? isReading(judged.call) : host.isShared(path));
  // Approval to read permits no writing, and the mounts that would refuse it do not exist on the host.
  const isDenied = judgements.some(
    (judgement) => judgement.verdict.decision === 'deny' && !isLeftToTheEnd(supervision.options.policy, judgement),
  );
  if (isDenied || ![first, second].every(isReachable)) return supervision.listener.answer(notification.id, -eacces);
  answerOnFailure(judged, () => {
    const held = new Set(
      judgements.flatMap(({ treatment, path }) =>
        treatment === 'kernel' && !isClosedByRule(supervision.options.policy, path) ? [] : [path],
      ),
    );
    // The box's mounts still judge the other path of a rename.
    for (const path of [first, second]) if (!held.has(path)) refuseMountPoint(box, path);
    if (keepWhatIsLost(supervision, judged) === 'done') return supervision.listener.answer(notification.id, 0);
    perform(judged, { side: host, first, second });
  });
}

function isReading(call: FileCall): boolean {
  return call.kind === 'open' && (call.flags & (openFlags.accessMode | openFlags.create | openFlags.truncate)) === 0;
}

export function perform(judged: JudgedFileCall, where: Where): void {
  const { supervision, notification, call } = judged;
  answerOnFailure(judged, () => {
    if (isMaking(call)) kernelCall('umask', umaskOf(notification.thread));
    if (call.kind === 'open') return openThere(judged, call, where);
    const fetched = fetchOperands(call, supervision.memory, notification.thread);
    if (where.side.kind === 'box' && (call.kind === 'rename' || call.kind === 'remove'))
      for (const path of new Set([where.first, where.second])) refuseMountPoint(where.side, path);
    if (!supervision.listener.isCurrent(notification.id)) return;
    answerWith(supervision, notification.id, () => (performChange(call, { ...where, fetched }), 0));
  });
}

function openThere(judged: JudgedFileCall, call: Extract<FileCall, { kind: 'open' }>, { side, first }: Where): void {
  const { supervision, notification } = judged;
  const { listener } = supervision;
  if (!listener.isCurrent(notification.id)) return;
  const opened = openFile(side, first, call);
  if (opened === undefined)
    return side.kind === 'box' ? leaveToKernel(judged) : listener.answer(notification.id, -eacces);
  const descriptor = side.kind === 'host' && isOnlyReading(judged, call) ? replaced(opened) : opened;
  try {
    listener.inject(notification.id, descriptor, { closeOnExec: (call.flags & openFlags.closeOnExec) !== 0 });
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the box must get a read-only descriptor of the file. */
function isOnlyReading({ supervision, first }: JudgedFileCall, { flags }: { readonly flags: number }): boolean {
  if ((flags & openFlags.accessMode) !== 0) return false;
  return judgeFiles(supervision.options.policy, [{ operation: 'write', path: first }]).some(
    ({ verdict: { decision } }) => decision !== 'allow' && decision !== 'audit',
  );
}

function replaced(file: number): number {
  try {
    return sealedCopy(file);
  } finally {
    closeSync(file);
  }
}

/** A call without an answer would wait forever. */
function answerOnFailure(
  { supervision: { listener }, notification }: Pick<Case, 'supervision' | 'notification'>,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    listener.answer(notification.id, error instanceof KernelError ? -error.errno : -eacces);
  }
}

/**
 * Returns a read-only, sealed copy of a file. A box that may only read the file must not get the file's own descriptor.
 * Through `/proc/self/fd` the box could reopen it for writing, on a mount that is not the box's.
 */
function sealedCopy(file: number): number {
  if (fstatSync(file).size > largest) throw new KernelError('open', tooLarge);
  const memory = kernelCall('memfd_create', 'approved', 1 | allowSealing);
  copyFileSync(`/proc/self/fd/${file}`, `/proc/self/fd/${memory}`);
  kernelCall('fcntl', memory, addSeals, everySeal);
  const descriptor = openSync(`/proc/self/fd/${memory}`, 'r');
  closeSync(memory);
  return descriptor;
}
