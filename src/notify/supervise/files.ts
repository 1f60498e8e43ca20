import { atFdcwd } from '../../kernel/index.ts';
import type { FileCall, NamedPath } from '../calls/file-calls.ts';
import { touchesOf } from '../calls/touches.ts';
import { type FileJudgement, isClosedByRule, judgeFiles, redirectTarget, strictest } from '../judge/judge-files.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { lookUpEntry } from '../perform/side.ts';
import { absoluteWords, linkText } from '../view/caller.ts';
import { eacces, efault } from './answer-call.ts';
import type { Supervision } from './context.ts';
import {
  type Case,
  isMaking,
  type JudgedFileCall,
  leaveToKernel,
  noEntry,
  onHost,
  perform,
} from './perform-file-call.ts';
import { openKey, passedLately, quickOpens } from './quick-opens.ts';

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

const badDescriptor = 9;
const nameTooLong = 36;

function exists({ host, box }: Supervision, path: string): boolean {
  return lookUpEntry(host.isShared(path) ? host : box, path) !== undefined;
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
