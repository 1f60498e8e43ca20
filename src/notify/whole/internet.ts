import { closeSync } from 'node:fs';
import { kernelCall, KernelError, pointer, rawKernel, syscallNumber, takeDescriptor } from '../../kernel/index.ts';
import type { CallerMemory } from '../listener/caller-memory.ts';
import type { Listener } from '../listener/listener.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import type { WholeNetwork } from '../supervise/context.ts';
import type { SocketCall } from '../supervise/socket-message.ts';
import { option, unblocked } from '../supervise/socket-calls.ts';
import { processOfThread } from '../view/caller.ts';
import type { Later } from './later.ts';
import {
  addressFamily,
  type InternetAddress,
  isOwnMachine,
  type BoxListeners,
  nameOfSocket,
  peerOfSocket,
  readAddress,
  writeAddress,
} from './listeners.ts';
import { isErrno } from './open-path.ts';

export interface Internet {
  readonly listener: Listener;
  readonly memory: CallerMemory;
  readonly later: Later;
  readonly listeners: BoxListeners;
  /** Address of the box, in 127.0.0.0/8. */
  readonly address: string;
  /** Undefined if the network is closed. The box then reaches only its own servers. */
  readonly network: WholeNetwork | undefined;
}

const failure = {
  inProgress: 115,
  refused: 111,
  unreachable: 101,
  unavailable: 99,
  wrongFamily: 97,
  notSupported: 95,
  badAddress: 14,
  denied: 13,
  invalid: 22,
} as const;
const optionType = 3;
const optionDomain = 39;
const optionError = 4;
const stream = 1;
const loopback = '127.0.0.1';
const longestAddress = 128;

export interface InternetCall {
  readonly notification: SeccompNotification;
  readonly call: SocketCall;
  /** A copy of the caller's descriptor. */
  readonly socket: number;
}

/**
 * Answers a call about a TCP socket. Performs allowed calls on a copy of the caller's descriptor, and reads the address
 * only once. Throws `KernelError`.
 */
export function handleInternet(net: Internet, { notification, call, socket }: InternetCall): void {
  const { listener, memory } = net;
  const kind = option(socket, optionDomain);
  if ((kind !== addressFamily.ipv4 && kind !== addressFamily.ipv6) || option(socket, optionType) !== stream)
    return listener.answer(notification.id, -failure.denied);
  // A stream ignores the address. Messages that would open a connection were refused earlier.
  if (call.operation === 'send') return listener.resume(notification.id);
  const bytes =
    call.length < 2 || call.length > longestAddress
      ? undefined
      : memory.bytes(notification.thread, call.address, call.length);
  if (bytes === undefined)
    return listener.answer(notification.id, -(call.length < 2 ? failure.invalid : failure.badAddress));
  const address = readAddress(bytes);
  const subject = { net, notification, socket, kind };
  if (address !== undefined) return call.operation === 'bind' ? bind(subject, address) : connect(subject, address);
  // Connecting to an address without a family dissolves a connection.
  if (call.operation === 'connect' && bytes.readUInt16LE(0) === addressFamily.unspecified)
    kernelCall('connect', socket, bytes, bytes.length);
  else throw new KernelError(call.operation, failure.wrongFamily);
  listener.answer(notification.id, 0);
}

interface Subject {
  readonly net: Internet;
  readonly notification: SeccompNotification;
  readonly socket: number;
  /** Type of the socket. */
  readonly kind: number;
}

function connect(subject: Subject, to: InternetAddress): void {
  const {
    net: { listeners, network },
    notification: { id },
    net: { listener },
  } = subject;
  const own = isOwnMachine(to.address) ? listeners.at(to.port) : undefined;
  if (own !== undefined) return reach(subject, own, () => listeners.at(to.port) !== undefined);
  const isResolver = network !== undefined && to.address === network.resolver && to.port === 53;
  const isGranted =
    network !== undefined && (!isOwnMachine(to.address) || isResolver || network.loopbackPorts.includes(to.port));
  if (!isGranted) return listener.answer(id, -(isOwnMachine(to.address) ? failure.refused : failure.unreachable));
  if (!isBegun(subject.socket))
    network.announce(endText(ownEnd(subject)), { ...to, address: meantBy.get(to.address) ?? to.address });
  reach(subject, { address: loopback, port: network.listener }, () => true);
}

function endText({ address, port }: InternetAddress): string {
  return `${address}:${port}`;
}

/** The kernel connects to these addresses instead. */
const meantBy: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', loopback],
  ['::', '::1'],
]);

/** Some programs repeat the call to learn whether the connection is made. */
function isBegun(socket: number): boolean {
  try {
    return peerOfSocket(socket).length > 0;
  } catch {
    return false;
  }
}

/**
 * Binds a socket to the box's own address, by which the egress recognises the coming connection. After a dissolved
 * connection the kernel still reports the old port, and would then listen on every network of the machine. So a socket
 * that cannot be bound counts only if it already has the box's address.
 */
function ownEnd(subject: Subject): InternetAddress {
  try {
    bindTo(subject, 0);
  } catch (error) {
    if (!isErrno(error, failure.invalid)) throw error;
  }
  const named = readAddress(nameOfSocket(subject.socket));
  if (named?.address !== subject.net.address) throw new KernelError('bind', failure.invalid);
  return named;
}

/** `netinet/in.h`: an IPv6-only socket does not reach IPv4. The option is fixed once the socket is bound. */
function takeBothFamilies(socket: number, kind: number): void {
  if (kind === addressFamily.ipv6) trySetting(socket, { level: 41, name: 26 });
}

interface Setting {
  readonly level: number;
  readonly name: number;
}

function trySetting(socket: number, { level, name }: Setting): void {
  try {
    kernelCall('setsockopt', socket, level, name, Buffer.alloc(4), 4);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
  }
}

/** Asks `isStill` once more after connecting: the port may belong to another program by now. */
function reach(
  { net: { listener, later }, notification: { id }, socket, kind }: Subject,
  to: InternetAddress,
  isStill: () => boolean,
): void {
  takeBothFamilies(socket, kind);
  const address = writeAddress(to, kind);
  const isPatient = (kernelCall('fcntl', socket, getFlags, 0) & nonBlocking) === 0;
  const begun = begin(socket, address);
  if (!isStill()) {
    kernelCall('connect', socket, Buffer.alloc(16), 16);
    return listener.answer(id, -failure.refused);
  }
  if (begun === 'done' || !isPatient) return listener.answer(id, begun === 'done' ? 0 : -failure.inProgress);
  const copy = kernelCall('fcntl', socket, duplicate, 0);
  later.add({
    id,
    over: () => closeSync(copy),
    attempt() {
      if (!isWritable(copy)) return 'not-yet';
      listener.answer(id, -option(copy, optionError));
      return 'answered';
    },
  });
}

const getFlags = 3;
const nonBlocking = 0o4000;
/** `F_DUPFD_CLOEXEC`. */
const duplicate = 1030;

function begin(socket: number, address: Buffer): 'done' | 'waits' {
  try {
    unblocked(socket, () => kernelCall('connect', socket, address, address.length));
    return 'done';
  } catch (error) {
    if (isErrno(error, failure.inProgress)) return 'waits';
    throw error;
  }
}

const pollOut = 4;

function isWritable(socket: number): boolean {
  const polled = Buffer.alloc(8);
  polled.writeInt32LE(socket, 0);
  polled.writeInt16LE(pollOut, 4);
  return rawKernel().call(syscallNumber('ppoll'), pointer(polled), 1, pointer(Buffer.alloc(16)), 0, 0, 0) > 0;
}

/**
 * A server of the box gets the box's own address, which no other program gets. So it cannot pose as a service of the
 * host. Attack: a port that a service will want later.
 */
function bind(subject: Subject, { address, port }: InternetAddress): void {
  const {
    net: { listener },
    notification: { id },
  } = subject;
  if (!isOwnMachine(address)) return listener.answer(id, -failure.unavailable);
  bindTo(subject, port);
  subject.net.listeners.note(subject.socket);
  listener.answer(id, 0);
}

function bindTo({ net: { address: own }, socket, kind }: Subject, port: number): void {
  // `SO_REUSEPORT` would let two processes of one user share a port.
  trySetting(socket, { level: 1, name: 15 });
  takeBothFamilies(socket, kind);
  const address = writeAddress({ address: own, port }, kind);
  kernelCall('bind', socket, address, address.length);
}

/** A listener without an address gets one on every network of the machine. Throws `KernelError`. */
export function handleListen(
  net: Internet,
  { id, thread }: SeccompNotification,
  { descriptor, backlog }: { readonly descriptor: number; readonly backlog: number },
): void {
  const socket = takeDescriptor(processOfThread(thread), descriptor);
  try {
    const kind = option(socket, optionDomain);
    if (kind === addressFamily.ipv4 || kind === addressFamily.ipv6) {
      ownEnd({ net, notification: { id, thread, call: 0, args: [] }, socket, kind });
      net.listeners.note(socket);
    }
    kernelCall('listen', socket, backlog);
    net.listener.answer(id, 0);
  } finally {
    closeSync(socket);
  }
}
