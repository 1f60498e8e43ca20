import { closeSync } from 'node:fs';
import { atFdcwd, kernelCall, KernelError } from '../../kernel/index.ts';
import { fetchOperands } from '../calls/fetch.ts';
import type { FileCall, NamedPath } from '../calls/file-calls.ts';
import { touchesOf } from '../calls/touches.ts';
import {
  type FileJudgement,
  isClosedByRule,
  isLeftToTheEnd,
  judgeFiles,
  redirectTarget,
  strictest,
} from '../judge/judge-files.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { performChange } from '../perform/change.ts';
import { openFile, refuseMountPoint } from '../perform/mount-point.ts';
import { openFlags } from '../perform/open-flags.ts';
import { sealedCopy } from '../perform/sealed-copy.ts';
import { lookUpEntry, type PerformSide } from '../perform/side.ts';
import { absoluteWords, linkText, umaskOf } from '../view/caller.ts';
import { answerWith, eacces, efault } from './answer-call.ts';
import type { Supervision } from './context.ts';
import { keepWhatIsLost } from './keep.ts';
import { openKey, passedLately, type PassedLately, quickOpens, type QuickOpens } from './quick-opens.ts';

/** Answers calls about files. */
export interface FileSupervisor {
  handle(notification: SeccompNotification, call: FileCall): void;
}

export function fileSupervisor(supervision: Supervision): FileSupervisor {
  const passed = passedLately();
  const quick = quickOpens(supervision, passed);
  return {
    handle: (notification, call) => {
      if (isPlainOpen(call) && quick.pass(notification, call)) supervision.listener.resume(notification.id);
      else handle({ supervision, notification, call, passed, quick });
    },
  };
}

interface Case {
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

function handle(of: Case): void {
  const { supervision, notification, call, passed, quick } = of;
  if (call.kind === 'open' && (call.flags & (openFlags.path | (openFlags.temporary & ~openFlags.directory))) !== 0)
    return leaveToKernel(of);
  const words = pathsOf(call).map((path) => wordsOf(of, path));
  if (call.kind !== 'open') quick.forget();
  if (words.some((word) => word === undefined))
    return isMaking(call)
      ? supervision.listener.answer(notification.id, -failureOf(of, pathsOf(call)[words.indexOf(undefined)]))
      : leaveToKernel(of);
  const plainOpen = isPlainOpen(call) ? openKey(call, words[0] ?? '') : undefined;
  if (plainOpen !== undefined && passed.has(plainOpen)) return leaveToKernel(of);
  const [first, second = first] = pathsOf(call).map((path, index) =>
    supervision.view.locate(words[index] ?? '', path.end),
  );
  if (first === undefined || second === undefined)
    return isMaking(call) && !isOwnDescriptor(call, words[0])
      ? supervision.listener.answer(notification.id, -noEntry)
      : leaveToKernel(of);
  if (plainOpen !== undefined && quick.passReal(first, words[0] ?? '')) return leaveToKernel(of);
  const judgements = judgeFiles(
    supervision.options.policy,
    touchesOf(call, { first, second, exists: (path) => exists(supervision, path) }),
  );
  const worst = strictest(judgements);
  if (worst === undefined) return leaveToKernel(of);
  const judged = { ...of, first, second, judgements, worst };
  if (plainOpen !== undefined && judgements.every(({ treatment }) => treatment === 'kernel') && !isClosedToBox(judged))
    passed.add(plainOpen);
  treat(judged);
}

/** Whether the call opens an existing file. */
function isPlainOpen(call: FileCall): call is Extract<FileCall, { kind: 'open' }> {
  return call.kind === 'open' && (call.flags & openFlags.create) === 0;
}

function pathsOf(call: FileCall): readonly NamedPath[] {
  return call.kind === 'rename' || call.kind === 'link' ? [call.from, call.to] : [call.at];
}

function wordsOf({ supervision, notification: { thread } }: Case, path: NamedPath): string | undefined {
  const words = supervision.memory.path(thread, path.address);
  return words === undefined || words === '' ? undefined : absoluteWords(thread, path.directory, words);
}

/** `> /dev/stdout`: the kernel reopens it, with the rights that the box has. */
function isOwnDescriptor(call: FileCall, words: string | undefined): boolean {
  return call.kind === 'open' && /^\/+proc\/+\d+\/+(?:task\/+\d+\/+)?fd\/+\d+$/u.test(words ?? '');
}

/** Returns the kernel's errno for a path that names nothing. A call that makes names is never left to the kernel. */
function failureOf({ supervision: { memory }, notification: { thread } }: Case, path: NamedPath | undefined): number {
  if (path === undefined) return efault;
  const words = memory.path(thread, path.address);
  if (words === undefined) return memory.bytes(thread, path.address, 1) === undefined ? efault : nameTooLong;
  const isNoDescriptor =
    words !== '' &&
    linkText(`/proc/${thread}/${path.directory === atFdcwd ? 'cwd' : `fd/${path.directory}`}`) === undefined;
  return isNoDescriptor ? badDescriptor : noEntry;
}

const noEntry = 2;
const badDescriptor = 9;
const nameTooLong = 36;

/** Whether the call may make a new name. Mounts cannot refuse new names. */
function isMaking(call: FileCall): boolean {
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

function exists({ host, box }: Supervision, path: string): boolean {
  return lookUpEntry(host.isShared(path) ? host : box, path) !== undefined;
}

function leaveToKernel({ supervision, notification }: Pick<Case, 'supervision' | 'notification'>): void {
  // Without mounts the kernel would refuse too little.
  if (supervision.options.whole !== undefined) return supervision.listener.answer(notification.id, -noEntry);
  supervision.listener.resume(notification.id);
}

/** Carries out the rule. */
export function treat(judged: JudgedFileCall): void {
  const { supervision, notification, worst } = judged;
  const { report } = supervision.options;
  switch (worst.treatment) {
    case 'kernel':
      return asBox(judged);
    case 'audit':
      for (const { request, verdict, treatment } of judged.judgements)
        if (treatment === 'audit') report({ kind: 'audited', request, verdict });
      return asBox(judged);
    case 'redirect':
      return redirect(judged);
    case 'stage':
      return onHost(judged);
    case 'ask':
      return ask(judged);
    case 'refuse':
      report({ kind: 'refused', request: worst.request, verdict: worst.verdict });
      return supervision.listener.answer(notification.id, -eacces);
  }
}

/**
 * Performs the call as if no rule covered it. The supervisor makes new names itself, through the box's own mounts. The
 * kernel would read the path a second time, and another thread could meanwhile write a protected name there.
 */
function asBox(judged: JudgedFileCall): void {
  const { supervision, call, first, second } = judged;
  if (supervision.options.whole !== undefined) return perform(judged, { side: supervision.box, first, second });
  if (isClosedToBox(judged))
    return readingToo(judged).some(({ treatment }) => treatment === 'ask') ? ask(judged) : onHost(judged);
  if (!isMaking(call) || !supervision.options.groups.includes('creations')) return leaveToKernel(judged);
  // Opening a pipe waits, and a terminal belongs to the caller, so the kernel opens both.
  if (call.kind === 'open' && lookUpEntry(supervision.box, first)?.isFile() === false) return leaveToKernel(judged);
  perform(judged, { side: supervision.box, first, second });
}

/** Whether a granted path is closed to the box because of a rule about another path. */
function isClosedToBox({ supervision, judgements }: JudgedFileCall): boolean {
  return judgements.some(
    ({ operation, path, verdict: { decision } }) =>
      operation !== 'read' &&
      (decision === 'allow' || decision === 'audit') &&
      isClosedByRule(supervision.options.policy, path),
  );
}

function redirect(judged: JudgedFileCall): void {
  const { supervision, notification, judgements, worst } = judged;
  const { policy, home, workspace, report } = supervision.options;
  const targetOf = (path: string): string | undefined => {
    const held = judgements.find((judgement) => judgement.path === path && judgement.treatment === 'redirect');
    return held === undefined ? path : redirectTarget(policy, held, { home, workspace });
  };
  const [first, second] = [targetOf(judged.first), targetOf(judged.second)].map((path) =>
    path === undefined ? undefined : supervision.view.locate(path, 'follow'),
  );
  const refuse = (): void => {
    report({ kind: 'refused', request: worst.request, verdict: worst.verdict });
    supervision.listener.answer(notification.id, -eacces);
  };
  if (first === undefined || second === undefined) return refuse();
  // Each target needs a grant of its own.
  const there = judgeFiles(
    policy,
    touchesOf(judged.call, { first, second, exists: (path) => exists(supervision, path) }),
  );
  if (there.some(({ verdict }) => verdict.decision !== 'allow' && verdict.decision !== 'audit')) return refuse();
  report({ kind: 'redirected', request: worst.request, verdict: worst.verdict });
  perform(judged, { side: supervision.box, first, second });
}

function ask(judged: JudgedFileCall): void {
  const { supervision, notification, call, first, judgements } = judged;
  // Nobody is asked about a missing file.
  if (call.kind === 'open' && (call.flags & openFlags.create) === 0 && !exists(supervision, first))
    return leaveToKernel(judged);
  const all = [...judgements, ...readingToo(judged)];
  const refused = all.find(({ treatment }) => treatment === 'refuse');
  if (refused !== undefined) return treat({ ...judged, worst: refused });
  const asked = all.filter(({ treatment }) => treatment === 'ask');
  supervision.askFor({ id: notification.id, thread: notification.thread, asked, allowed: () => onHost(judged) });
}

/** A descriptor for writing can be opened again for reading by `/proc/self/fd`. */
function readingToo({ supervision, call, first, judgements }: JudgedFileCall): readonly FileJudgement[] {
  if (call.kind !== 'open' || judgements.some(({ operation }) => operation !== 'write')) return [];
  return judgeFiles(supervision.options.policy, [{ operation: 'read', path: first }]);
}

/** Performs a call on the host, because a rule closes the path to the box itself and now allows the call. */
function onHost(judged: JudgedFileCall): void {
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

interface Where {
  readonly side: PerformSide;
  readonly first: string;
  readonly second: string;
}

function perform(judged: JudgedFileCall, where: Where): void {
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
