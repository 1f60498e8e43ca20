import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { atFdcwd, kernelCall, KernelError, takeDescriptor } from '../../kernel/index.ts';
import { decide } from '../../policy/decide.ts';
import type { SocketRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { inDirectory, lookUpEntry, onPath } from '../perform/side.ts';
import { fromReadable, readable } from '../view/byte-text.ts';
import { absoluteWords, processOfThread, umaskOf } from '../view/caller.ts';
import { eacces, efault } from './answer-call.ts';
import type { Supervision } from './context.ts';
import { option, unixAddress, unblocked, unixFamily } from './socket-calls.ts';
import { socketMessage, type SocketCall } from './socket-message.ts';

/** `linux/socket.h`, `asm-generic/socket.h`. */
const optionType = 3;
const optionDomain = 39;
const datagram = 2;
const longestAddress = 110;
const notSupported = 95;

/** Sockets that the box has bound, by inode, because the same path may later belong to another program. */
type Bound = Set<string>;

/** Additional parts for a box without namespaces, because it can reach the host's sockets. */
export interface WholeSockets {
  /** The host's form of abstract names, because no namespace separates them. */
  readonly abstract: {
    abstractName(name: string): string;
    /** Undefined if no socket of the box has this name at the moment. */
    ownAbstract(name: string): string | undefined;
  };
  /** Call after a socket has got a name. */
  named(socket: number): void;
  /** Whether the box may make a socket at a real path. */
  mayMake(path: string): boolean;
  /** Answers a call about any other kind of socket. */
  other(notification: SeccompNotification, call: SocketCall, socket: number): void;
}

/**
 * Answers calls about Unix sockets. The supervisor performs allowed calls on a copy of the caller's descriptor, at the
 * very inode that was judged. It reads the address from the caller's memory only once.
 */
export function socketSupervisor(
  supervision: Supervision,
  whole?: WholeSockets,
): (notification: SeccompNotification, call: SocketCall) => void {
  const bound: Bound = new Set();
  return (notification, call) => {
    try {
      handle({ supervision, notification, call, bound, whole });
    } catch (error) {
      supervision.listener.answer(notification.id, error instanceof KernelError ? -error.errno : -eacces);
    }
  };
}

interface Case {
  readonly supervision: Supervision;
  readonly notification: SeccompNotification;
  readonly call: SocketCall;
  readonly bound: Bound;
  readonly whole: WholeSockets | undefined;
}

function handle(of: Case): void {
  const { supervision, notification, call, whole } = of;
  const { listener } = supervision;
  const socket = takeDescriptor(processOfThread(notification.thread), call.descriptor);
  try {
    if (option(socket, optionDomain) !== unixFamily)
      return whole === undefined ? listener.resume(notification.id) : whole.other(notification, call, socket);
    // A connected stream ignores the address.
    if (call.operation === 'send' && option(socket, optionType) !== datagram) return listener.resume(notification.id);
    const message = call.form !== 'plain' ? socketMessage(supervision.memory, notification, call) : call;
    if (message === undefined) return listener.answer(notification.id, -notSupported);
    const address =
      message.length > longestAddress
        ? undefined
        : supervision.memory.bytes(notification.thread, message.address, message.length);
    if (address === undefined) return listener.answer(notification.id, -efault);
    const plain = { ...of, call: message };
    // Without a name, the kernel chooses one, dissolves a connection, or sends over the existing one.
    if (address.length <= 2 || address.readUInt16LE(0) !== unixFamily) return act(plain, socket, address);
    judge(plain, address);
  } finally {
    closeSync(socket);
  }
}

function judge(of: Case, address: Buffer): void {
  const {
    supervision,
    notification: { id, thread },
    call,
  } = of;
  const { listener, options } = supervision;
  const named = nameOf(of, address);
  if (named === undefined) return listener.answer(id, -noEntry);
  const request: SocketRequest = { kind: 'socket', operation: call.operation, address: readable(named) };
  const verdict = decide(options.policy, request);
  if (isOwn(of, named, verdict)) return carryOut(of, named);
  switch (verdict.decision) {
    case 'allow':
      return carryOut(of, named, 'granted');
    case 'audit':
      options.report({ kind: 'audited', request, verdict });
      return carryOut(of, named, 'let-pass');
    case 'redirect':
      return redirect(of, { request, verdict });
    case 'ask':
      return supervision.askFor({ id, thread, asked: [{ request, verdict }], allowed: () => carryOutLater(of, named) });
    case 'stage':
    case 'deny':
      options.report({ kind: 'refused', request, verdict });
      return listener.answer(id, -eacces);
  }
}

const noEntry = 2;

/** An absolute path, or `@name`. */
function nameOf({ supervision, notification: { thread }, call }: Case, address: Buffer): string | undefined {
  if (address[2] === 0) return `@${address.toString('latin1', 3)}`;
  const end = address.indexOf(0, 2);
  const words = absoluteWords(thread, atFdcwd, address.toString('latin1', 2, end < 0 ? address.length : end));
  return words === undefined
    ? undefined
    : supervision.view.locate(words, call.operation === 'bind' ? 'itself' : 'follow');
}

/**
 * Whether the socket is the box's own and no rule covers it. Abstract names, private places, new sockets, and sockets
 * that the box has bound are its own.
 */
function isOwn(of: Case, named: string, { code }: Verdict): boolean {
  const {
    supervision: { box },
    call,
    whole,
  } = of;
  if (!isUnsaid({ code })) return false;
  if (whole !== undefined && call.operation !== 'bind' && named.startsWith('@'))
    return whole.abstract.ownAbstract(named.slice(1)) !== undefined;
  if (named.startsWith('@') || isPrivate(of, named) || call.operation === 'bind') return true;
  const there = lookUpEntry(box, named);
  return there === undefined || isMadeHere(of, there);
}

/** Without mounts no path is private (attack: a host socket below `/dev`). */
function isPrivate({ supervision: { host }, whole }: Case, named: string): boolean {
  return whole === undefined && !host.isShared(named);
}

function isMadeHere({ bound }: Case, there: BigIntStats): boolean {
  return !there.isSocket() || bound.has(identity(there));
}

/** Whether no grant and no rule covers it. */
function isUnsaid({ code }: Pick<Verdict, 'code'>): boolean {
  return code === 'not-granted' || code === 'outside-ceiling';
}

/** Inode numbers are reused, but birth times are not. */
function identity({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

function redirect(
  of: Case,
  { request, verdict }: { readonly request: SocketRequest; readonly verdict: Verdict },
): void {
  const {
    supervision: { options, listener, view },
    notification,
    call,
  } = of;
  const target = fromReadable(verdict.redirectTo ?? '');
  const named = target.startsWith('@') ? target : view.locate(target, 'follow');
  const there =
    named === undefined
      ? undefined
      : decide(options.policy, { kind: 'socket', operation: call.operation, address: readable(named) });
  const isGranted = there?.decision === 'allow' || there?.decision === 'audit';
  const leads = named !== undefined && there !== undefined && (isGranted || isOwn(of, named, there));
  options.report({ kind: leads ? 'redirected' : 'refused', request, verdict });
  if (leads) carryOut(of, named, isGranted ? 'granted' : 'as-the-box');
  else listener.answer(notification.id, -eacces);
}

function carryOutLater(of: Case, named: string): void {
  try {
    carryOut(of, named, 'let-pass');
  } catch (error) {
    of.supervision.listener.answer(of.notification.id, error instanceof KernelError ? -error.errno : -eacces);
  }
}

/**
 * Acts on a copy of the caller's socket. Uses the inode that was judged, or its directory for a new name. An allowed
 * socket that a rule had stopped is reached on the host. Mounts cover sockets that existed when the box started, except
 * granted ones.
 */
function carryOut(of: Case, named: string, way: 'as-the-box' | 'granted' | 'let-pass' = 'as-the-box'): void {
  const {
    supervision,
    notification: { thread },
    call,
  } = of;
  const socket = takeDescriptor(processOfThread(thread), call.descriptor);
  try {
    if (option(socket, optionDomain) !== unixFamily) throw new KernelError('socket', eacces);
    if (named.startsWith('@')) return act(of, socket, unixAddress(`\0${abstractNameOf(of, named.slice(1), way)}`));
    if (call.operation === 'bind') return bindThere(of, socket, named);
    onPath(
      way === 'let-pass' && supervision.host.isShared(named) ? supervision.host : supervision.box,
      named,
      (inode) => {
        // The host may have made a socket there since (attack: ask for a socket again and again until its service has
        // started).
        if (way === 'as-the-box' && !isPrivate(of, named) && !isMadeHere(of, fstatSync(inode, { bigint: true })))
          throw new KernelError('connect', eacces);
        act(of, socket, unixAddress(`/proc/self/fd/${inode}\0`));
      },
    );
  } finally {
    closeSync(socket);
  }
}

/**
 * Never looks for a name of the box on the host, even if the box has released it. Attack: a server that closes while a
 * connection is judged.
 */
function abstractNameOf({ call, whole }: Case, name: string, way: 'as-the-box' | 'granted' | 'let-pass'): string {
  if (whole === undefined) return name;
  const own = call.operation === 'bind' ? undefined : whole.abstract.ownAbstract(name);
  return own ?? (call.operation === 'bind' || way === 'as-the-box' ? whole.abstract.abstractName(name) : name);
}

function bindThere(of: Case, socket: number, named: string): void {
  const {
    supervision: { box, listener, options },
    notification: { id, thread },
    bound,
    whole,
  } = of;
  if (whole?.mayMake(named) === false) return listener.answer(id, -eacces);
  // Rules about new files also cover sockets.
  const creation = decide(options.policy, { kind: 'file', operation: 'create', path: readable(named) });
  if (creation.decision !== 'allow' && creation.decision !== 'audit' && !isUnsaid(creation))
    return listener.answer(id, -eacces);
  inDirectory(box, named, ({ directory, name }) => {
    kernelCall('umask', umaskOf(thread));
    // Uses the thread's own working directory, because an address is at most 108 bytes long.
    kernelCall('chdir', `/proc/self/fd/${directory}`);
    try {
      const address = unixAddress(`${name}\0`);
      kernelCall('bind', socket, address, address.length);
    } finally {
      kernelCall('chdir', '/');
    }
  });
  const there = lookUpEntry(box, named);
  if (there !== undefined) bound.add(identity(there));
  listener.answer(id, 0);
}

function act(
  { supervision: { listener, memory }, notification: { id, thread }, call, whole }: Case,
  socket: number,
  address: Buffer,
): void {
  if (call.operation !== 'send') {
    unblocked(socket, () =>
      kernelCall(call.operation === 'bind' ? 'bind' : 'connect', socket, address, address.length),
    );
    if (call.operation === 'bind') whole?.named(socket);
    return listener.answer(id, 0);
  }
  const { payload } = call;
  const parts = payload?.parts.map((part) =>
    part.length === 0 ? Buffer.alloc(0) : memory.bytes(thread, part.address, part.length),
  );
  const bytes =
    parts?.every((part) => part !== undefined) === true ? Buffer.concat(parts as readonly Buffer[]) : undefined;
  if (bytes === undefined || payload === undefined) return listener.answer(id, -tooLong);
  listener.answer(
    id,
    kernelCall('sendto', socket, bytes, bytes.length, payload.flags | dontWait | noSignal, address, address.length),
  );
}

const tooLong = 90;
/** `MSG_DONTWAIT`, `MSG_NOSIGNAL`. */
const dontWait = 0x40;
const noSignal = 0x4000;
