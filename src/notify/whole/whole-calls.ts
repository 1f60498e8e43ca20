import { randomBytes } from 'node:crypto';
import type { SyscallName } from '../../kernel/index.ts';
import { int } from '../listener/notification.ts';
import type { WholeNetwork } from '../supervise/context.ts';
import { socketCalls, socketSupervisor } from '../supervise/sockets.ts';
import { handleInternet, handleListen, type Internet } from './internet.ts';
import { openListeners } from './listeners.ts';
import { type Handler, orErrno, wholeFiles } from './whole-files.ts';
import type { Whole } from './whole.ts';

/** Every call about files and sockets of a box that has neither mounts nor namespaces. */
export function wholeCalls(whole: Whole, network: WholeNetwork | undefined): ReadonlyMap<SyscallName, Handler> {
  const { supervision, law, later } = whole;
  const handlers = new Map(wholeFiles(whole));
  const listeners = openListeners();
  const internet: Internet = { listener: supervision.listener, memory: supervision.memory, later, listeners, address: ownAddress(), network };
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
  handlers.set('listen', (notification) => orErrno(whole, notification, () => handleListen(internet, notification, { descriptor: int(notification.args[0]), backlog: int(notification.args[1]) })));
  return handlers;
}

/** One of 16 million that all lead to this machine, and never the one that services use. */
function ownAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return `127.${(a % 254) + 1}.${b}.${(c % 254) + 1}`;
}
