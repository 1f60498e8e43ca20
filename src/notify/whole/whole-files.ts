import { KernelError, type SyscallName } from '../../kernel/index.ts';
import { fileCalls, type FileCall, type NamedPath } from '../calls/file-calls.ts';
import { touchesOf } from '../calls/touches.ts';
import { judgeFiles, strictest } from '../judge/judge-files.ts';
import { outOfReach } from '../judge/rule-reach.ts';
import type { Notification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { lookUp } from '../perform/side.ts';
import { eacces } from '../supervise/answer-call.ts';
import { treat } from '../supervise/files.ts';
import { isPlain, split } from '../view/box-view.ts';
import { absoluteWords, linkText } from '../view/caller.ts';
import { throughProcess } from '../view/magic-links.ts';
import { accessCalls, accessRefusal, type AccessCall } from './access-calls.ts';
import { changeWhole, refusalOf, type ChangePaths } from './change-whole.ts';
import { changeDescriptor, descriptorCalls } from './descriptor-calls.ts';
import { openWhole, type OpenCall, type OpenDesk } from './open-whole.ts';
import { openPipes } from './pipes.ts';
import { openTerminals } from './terminals.ts';
import { addWatch, watchCall } from './watch-call.ts';
import { errno, type Whole } from './whole.ts';

export type Handler = (notification: Notification) => void;

/**
 * Answers every call about files of a box without mounts. Nothing goes ahead as it is: the caller's memory may change after it was read, and
 * Landlock grants whole directories. What is allowed is done here, on the very path that was judged, and handed in.
 */
export function wholeFiles(whole: Whole): ReadonlyMap<SyscallName, Handler> {
  const handlers = new Map<SyscallName, Handler>();
  const add = (name: string, handle: Handler): void => void handlers.set(name as SyscallName, (notification) => orErrno(whole, notification, handle));
  const desk = openDesk(whole);
  for (const [name, decode] of Object.entries(fileCalls)) {
    const ofDescriptor = descriptorCalls[name as SyscallName];
    add(name, (notification) => {
      const call = decode(notification.args);
      if (call !== undefined) handleFile(desk, notification, call);
      else if (ofDescriptor === undefined) whole.supervision.listener.answer(notification.id, -eacces);
      else changeDescriptor(whole, notification, ofDescriptor(notification.args));
    });
  }
  for (const [name, decode] of Object.entries(descriptorCalls)) if (!handlers.has(name as SyscallName)) add(name, (notification) => changeDescriptor(whole, notification, decode(notification.args)));
  for (const [name, decode] of Object.entries(accessCalls)) add(name, (notification) => handleAccess(whole, notification, decode(notification.args)));
  add('inotify_add_watch', (notification) => handleWatch(whole, notification));
  return handlers;
}

/** A call that was not answered would wait for ever. */
export function orErrno({ supervision: { listener } }: Whole, notification: Notification, handle: Handler): void {
  try {
    handle(notification);
  } catch (error) {
    listener.answer(notification.id, error instanceof KernelError ? -error.errno : -eacces);
  }
}

function openDesk(whole: Whole): OpenDesk {
  const isFar = outOfReach(whole.supervision.options.policy);
  return {
    whole,
    pipes: openPipes(whole.supervision.listener, whole.later),
    terminals: openTerminals(whole.supervision.view.root, whole.supervision.atEnd),
    byRule: ({ notification, call }, path) => !isFar(path) && byRule(whole, { notification, call, first: path, second: path }),
  };
}

interface RuledCall extends ChangePaths {
  readonly notification: Notification;
  readonly call: FileCall;
}

/** Whether a rule asks, redirects, keeps, looks at or refuses it; then that has been seen to. */
function byRule({ supervision }: Whole, { notification, call, first, second }: RuledCall): boolean {
  const judgements = judgeFiles(supervision.options.policy, touchesOf(call, { first, second, exists: (path) => lookUp(supervision.box, path) !== undefined }));
  const worst = strictest(judgements);
  if (worst === undefined || worst.treatment === 'kernel') return false;
  treat({ supervision, notification, call, first, second, judgements, worst });
  return true;
}

function handleFile(desk: OpenDesk, notification: Notification, call: FileCall): void {
  const { supervision: { listener } } = desk.whole;
  if (call.kind !== 'open') return handleChange(desk.whole, notification, call);
  // It names a place and shows nothing of it, and in a register nothing changes.
  if ((call.flags & openFlags.path) !== 0) return listener.resume(notification.id);
  if ((call.flags & openFlags.temporary) === openFlags.temporary) return listener.answer(notification.id, -errno.notSupported);
  const words = wordsOf(desk.whole, notification, call.at);
  if (typeof words === 'number') listener.answer(notification.id, -words);
  else openWhole(desk, { notification, call: call satisfies OpenCall }, words);
}

function handleChange(whole: Whole, notification: Notification, call: Exclude<FileCall, { kind: 'open' }>): void {
  const { listener } = whole.supervision;
  const named = call.kind === 'rename' || call.kind === 'link' ? [call.from, call.to] : [call.at];
  const reals: string[] = [];
  for (const path of named) {
    const words = wordsOf(whole, notification, path);
    const real = typeof words === 'number' ? undefined : placeOf(whole, words, path.end);
    if (real?.startsWith('/') !== true) return listener.answer(notification.id, -(typeof words === 'number' ? words : errno.noEntry));
    reals.push(real);
  }
  const [first = '', second = first] = reals;
  const refusal = refusalOf(whole, call, { first, second });
  if (refusal !== undefined) return listener.answer(notification.id, -refusal);
  if (!byRule(whole, { notification, call, first, second })) changeWhole(whole, call, { notification, first, second });
}

function handleAccess(whole: Whole, notification: Notification, call: AccessCall | undefined): void {
  const { listener, view } = whole.supervision;
  if (call === undefined) return listener.resume(notification.id);
  const words = wordsOf(whole, notification, call.at);
  if (typeof words === 'number') return listener.answer(notification.id, -words);
  const real = isPlain(words) && accessRefusal(whole, call.mode, words) === undefined ? words : view.locate(words, call.at.end);
  const refusal = real === undefined ? undefined : accessRefusal(whole, call.mode, real);
  // What it says of the host's files is what `stat` says.
  if (refusal === undefined) listener.resume(notification.id);
  else listener.answer(notification.id, -refusal);
}

function handleWatch(whole: Whole, notification: Notification): void {
  const { listener, view } = whole.supervision;
  const { at, ...call } = watchCall(notification.args);
  const words = wordsOf(whole, notification, at);
  const real = typeof words === 'number' ? undefined : view.locate(words, at.end);
  if (real?.startsWith('/') !== true) listener.answer(notification.id, -(typeof words === 'number' ? words : errno.noEntry));
  else addWatch(whole, notification, { ...call, real });
}

/** Where words lead. Through what a process has (`/proc/PID/fd/N`, its working directory) only where it is one of the box: another's would tell where that is. */
function placeOf({ supervision: { view }, processes }: Whole, words: string, end: NamedPath['end']): string | undefined {
  const pid = /^\/+proc\/+(\d+)\//u.exec(words)?.[1];
  if (pid === undefined || !processes.has(Number(pid)) || /.\/proc\/+\d/u.test(words)) return view.locate(words, end);
  // What is changed by its name is never the link of `/proc` itself.
  const { parent, name } = split(words);
  const led = throughProcess(view.root, end === 'follow' ? words : parent);
  return led === undefined ? undefined : view.locate(end === 'follow' ? led : `${led}/${name}`, end);
}

/** The absolute path that a caller means, or the errno for words that mean none. */
function wordsOf({ supervision: { memory } }: Whole, { thread }: Notification, path: NamedPath): string | number {
  const words = memory.path(thread, path.address);
  if (words === undefined) return memory.bytes(thread, path.address, 1) === undefined ? errno.badAddress : errno.nameTooLong;
  if (words === '') return errno.noEntry;
  const absolute = absoluteWords(thread, path.directory, words);
  if (absolute !== undefined) return absolute;
  return linkText(`/proc/${thread}/fd/${path.directory}`) === undefined && path.directory !== atWorkingDirectory ? errno.badDescriptor : errno.noEntry;
}

const atWorkingDirectory = -100;
