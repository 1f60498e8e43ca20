import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { kernelCall, KernelError, type SyscallName, takeDescriptor } from '../../kernel/index.ts';
import { type FileCall, fileCalls, type NamedPath } from '../calls/file-calls.ts';
import { touchesOf } from '../calls/touches.ts';
import { judgeFiles, strictest } from '../judge/judge-files.ts';
import { outOfReach } from '../judge/rule-reach.ts';
import { int, type SeccompNotification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { lookUpEntry, onPath } from '../perform/side.ts';
import { eacces } from '../supervise/answer-call.ts';
import type { WholeNetwork } from '../supervise/context.ts';
import { treat } from '../supervise/files.ts';
import { socketCalls } from '../supervise/socket-message.ts';
import { socketSupervisor } from '../supervise/sockets.ts';
import { isPlainPath, split } from '../view/box-view.ts';
import { absoluteWords, linkText, processOfThread } from '../view/caller.ts';
import { throughProcess } from '../view/magic-links.ts';
import { type ChangePaths, changeWhole, changeErrno } from './change-whole.ts';
import { type AccessCall, accessCalls, accessRefusal, changeDescriptor, descriptorCalls } from './descriptor-calls.ts';
import { handleInternet, handleListen, type Internet } from './internet.ts';
import { openListeners } from './listeners.ts';
import { type FileOpenCall, type OpenDesk, openWhole } from './open-whole.ts';
import { openPipes } from './pipes.ts';
import { openTerminals } from './special-files.ts';
import { errno, errnoOf, type Whole } from './whole.ts';

/** Handlers of all file and socket calls of a box without mounts and namespaces. */
export function wholeCalls(whole: Whole, network: WholeNetwork | undefined): ReadonlyMap<SyscallName, Handler> {
  const { supervision, law, later } = whole;
  const handlers = new Map(wholeFiles(whole));
  const listeners = openListeners();
  const internet: Internet = {
    listener: supervision.listener,
    memory: supervision.memory,
    later,
    listeners,
    address: ownAddress(),
    network,
  };
  const sockets = socketSupervisor(supervision, {
    abstract: listeners,
    named: (socket) => listeners.note(socket),
    mayMake: (path) => law.rule('create', path).kind === 'granted',
    other: (notification, call, socket) => handleInternet(internet, { notification, call, socket }),
  });
  for (const [name, decode] of Object.entries(socketCalls)) {
    handlers.set(name as SyscallName, (notification) => {
      const call = decode(notification.args);
      if (call !== undefined) sockets(notification, call);
    });
  }
  handlers.set('listen', (notification) =>
    orErrno(whole, notification, () =>
      handleListen(internet, notification, {
        descriptor: int(notification.args[0]),
        backlog: int(notification.args[1]),
      }),
    ),
  );
  return handlers;
}

/** One of 16 million addresses that all lead to this machine, and never the one that services use. */
function ownAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return `127.${(a % 254) + 1}.${b}.${(c % 254) + 1}`;
}

type Handler = (notification: SeccompNotification) => void;

/**
 * Answers all file calls of a box without mounts. No call goes ahead unchanged: the caller's memory may change after it
 * was read, and Landlock grants whole directories. The supervisor performs allowed calls itself, on the very path that
 * it judged, and hands over the result.
 */
function wholeFiles(whole: Whole): ReadonlyMap<SyscallName, Handler> {
  const handlers = new Map<SyscallName, Handler>();
  const add = (name: string, handle: Handler): void =>
    void handlers.set(name as SyscallName, (notification) => orErrno(whole, notification, handle));
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
  for (const [name, decode] of Object.entries(descriptorCalls))
    if (!handlers.has(name as SyscallName))
      add(name, (notification) => changeDescriptor(whole, notification, decode(notification.args)));
  for (const [name, decode] of Object.entries(accessCalls))
    add(name, (notification) => handleAccess(whole, notification, decode(notification.args)));
  add('inotify_add_watch', (notification) => handleWatch(whole, notification));
  return handlers;
}

/** A call without an answer would never return. */
function orErrno({ supervision: { listener } }: Whole, notification: SeccompNotification, handle: Handler): void {
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
    byRule: ({ notification, call }, path) =>
      !isFar(path) && byRule(whole, { notification, call, first: path, second: path }),
  };
}

interface RuledCall extends ChangePaths {
  readonly notification: SeccompNotification;
  readonly call: FileCall;
}

/** Whether a rule asks about, redirects, keeps, inspects or refuses the call, and has handled it. */
function byRule({ supervision }: Whole, { notification, call, first, second }: RuledCall): boolean {
  const judgements = judgeFiles(
    supervision.options.policy,
    touchesOf(call, { first, second, exists: (path) => lookUpEntry(supervision.box, path) !== undefined }),
  );
  const worst = strictest(judgements);
  if (worst === undefined || worst.treatment === 'kernel') return false;
  treat({ supervision, notification, call, first, second, judgements, worst });
  return true;
}

function handleFile(desk: OpenDesk, notification: SeccompNotification, call: FileCall): void {
  const {
    supervision: { listener },
  } = desk.whole;
  if (call.kind !== 'open') return handleChange(desk.whole, notification, call);
  // An `O_PATH` descriptor reveals no content. The call may go ahead, because registers do not change.
  if ((call.flags & openFlags.path) !== 0) return listener.resume(notification.id);
  if ((call.flags & openFlags.temporary) === openFlags.temporary)
    return listener.answer(notification.id, -errno.notSupported);
  const words = wordsOf(desk.whole, notification, call.at);
  if (typeof words === 'number') listener.answer(notification.id, -words);
  else openWhole(desk, { notification, call: call satisfies FileOpenCall }, words);
}

function handleChange(
  whole: Whole,
  notification: SeccompNotification,
  call: Exclude<FileCall, { kind: 'open' }>,
): void {
  const { listener } = whole.supervision;
  const named = call.kind === 'rename' || call.kind === 'link' ? [call.from, call.to] : [call.at];
  const reals: string[] = [];
  for (const path of named) {
    const words = wordsOf(whole, notification, path);
    const real = typeof words === 'number' ? undefined : placeOf(whole, words, path.end);
    if (real?.startsWith('/') !== true)
      return listener.answer(notification.id, -(typeof words === 'number' ? words : errno.noEntry));
    reals.push(real);
  }
  const [first = '', second = first] = reals;
  const refusal = changeErrno(whole, call, { first, second });
  if (refusal !== undefined) return listener.answer(notification.id, -refusal);
  if (!byRule(whole, { notification, call, first, second })) changeWhole(whole, call, { notification, first, second });
}

function handleAccess(whole: Whole, notification: SeccompNotification, call: AccessCall | undefined): void {
  const { listener, view } = whole.supervision;
  if (call === undefined) return listener.resume(notification.id);
  const words = wordsOf(whole, notification, call.at);
  if (typeof words === 'number') return listener.answer(notification.id, -words);
  const real =
    isPlainPath(words) && accessRefusal(whole, call.mode, words) === undefined
      ? words
      : view.locate(words, call.at.end);
  const refusal = real === undefined ? undefined : accessRefusal(whole, call.mode, real);
  // The kernel's answer reveals no more about the host's files than `stat`.
  if (refusal === undefined) listener.resume(notification.id);
  else listener.answer(notification.id, -refusal);
}

function handleWatch(whole: Whole, notification: SeccompNotification): void {
  const { listener, view } = whole.supervision;
  const { at, ...call } = watchCall(notification.args);
  const words = wordsOf(whole, notification, at);
  const real = typeof words === 'number' ? undefined : view.locate(words, at.end);
  if (real?.startsWith('/') !== true)
    listener.answer(notification.id, -(typeof words === 'number' ? words : errno.noEntry));
  else addWatch(whole, notification, { ...call, real });
}

/**
 * Resolves a caller's path. Entries of a process (`/proc/PID/fd/N`, its working directory) count only for processes of
 * the box, because others would reveal their paths.
 */
function placeOf(
  { supervision: { view }, processes }: Whole,
  words: string,
  end: NamedPath['end'],
): string | undefined {
  const pid = /^\/+proc\/+(\d+)\//u.exec(words)?.[1];
  if (pid === undefined || !processes.has(Number(pid)) || /.\/proc\/+\d/u.test(words)) return view.locate(words, end);
  // A change by name never concerns the `/proc` link itself.
  const { parent, name } = split(words);
  const led = throughProcess(view.root, end === 'follow' ? words : parent);
  return led === undefined ? undefined : view.locate(end === 'follow' ? led : `${led}/${name}`, end);
}

/** The absolute path of the caller's path, or the errno if it names nothing. */
function wordsOf(
  { supervision: { memory } }: Whole,
  { thread }: SeccompNotification,
  path: NamedPath,
): string | number {
  const words = memory.path(thread, path.address);
  if (words === undefined)
    return memory.bytes(thread, path.address, 1) === undefined ? errno.badAddress : errno.nameTooLong;
  if (words === '') return errno.noEntry;
  const absolute = absoluteWords(thread, path.directory, words);
  if (absolute !== undefined) return absolute;
  return linkText(`/proc/${thread}/fd/${path.directory}`) === undefined && path.directory !== atWorkingDirectory
    ? errno.badDescriptor
    : errno.noEntry;
}

const atWorkingDirectory = -100;

/**
 * `inotify_add_watch`: Landlock allows watches everywhere, and a watch on a directory reveals the names of its files.
 */
interface WatchCall {
  readonly at: NamedPath;
  readonly descriptor: number;
  readonly mask: number;
}

const workingDirectory = -100;
/** `IN_DONT_FOLLOW`. */
const noFollow = 0x0200_0000;

function watchCall([descriptor, address = 0n, mask]: readonly bigint[]): WatchCall {
  const bits = int(mask);
  return {
    at: { directory: workingDirectory, address, end: (bits & noFollow) === 0 ? 'follow' : 'itself' },
    descriptor: int(descriptor),
    mask: bits,
  };
}

/** Adds the caller's watch to the judged file. `real` is its real path. Throws `KernelError`. */
function addWatch(
  { law, supervision: { listener, box } }: Whole,
  { id, thread }: SeccompNotification,
  { descriptor, mask, real }: Omit<WatchCall, 'at'> & { readonly real: string },
): void {
  const ruling = law.rule('read', real);
  if (ruling.kind !== 'granted')
    return listener.answer(id, -(ruling.kind === 'refused' ? errnoOf(ruling.how, 'read') : errno.accessDenied));
  const copy = takeDescriptor(processOfThread(thread), descriptor);
  try {
    onPath(box, real, (inode) =>
      listener.answer(id, kernelCall('inotify_add_watch', copy, `/proc/self/fd/${inode}`, mask & ~noFollow)),
    );
  } finally {
    closeSync(copy);
  }
}
