import { kernelCall, type SyscallName, syscallNumber } from '../../kernel/index.ts';
import { execCalls } from '../calls/exec-calls.ts';
import { fileCalls } from '../calls/file-calls.ts';
import { fileLaw } from '../law/file-law.ts';
import { callerMemory } from '../listener/caller-memory.ts';
import type { Listener } from '../listener/listener.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { hostSide } from '../perform/side.ts';
import type { AllowOrDeny } from '../types.ts';
import { openBoxView } from '../view/box-view.ts';
import { fromReadable } from '../view/byte-text.ts';
import { processOfThread } from '../view/caller.ts';
import { executionRefusal } from '../whole/execution-refusal.ts';
import { type Later, openLater } from '../whole/later.ts';
import { madeHere, otherNames, withTargets } from '../whole/other-names.ts';
import { wholeCalls } from '../whole/whole-calls.ts';
import { boxProcesses, sealedFiles, type Whole } from '../whole/whole.ts';
import { eacces } from './answer-call.ts';
import type { Supervision, SupervisorOptions, WaitingCall, WholeNetwork, WholeOptions, Woken } from './context.ts';
import { execSupervisor } from './executions.ts';
import { fileSupervisor } from './files.ts';
import { handleMemoryFile, memoryFileCalls } from './memory-files.ts';
import { handleSignal, signalCalls } from './signals.ts';
import { socketCalls } from './socket-message.ts';
import { socketSupervisor } from './sockets.ts';

/**
 * Answers the notifications of one box until none of its processes is left, or until a message says that the box is
 * over. Blocks its thread.
 */
export function serveCalls(listener: Listener, options: SupervisorOptions): void {
  // From here on the umask and the working directory belong to this thread only, so that new files get the caller's
  // mode.
  kernelCall('unshare', cloneFs);
  const counter: Counter = { desk: openDesk(listener, options), handlers: undefined };
  try {
    while (serveOnce(listener, options, counter) === 'continue') counter.desk.later.retry();
  } finally {
    // The thread may serve another box.
    counter.handlers?.close();
    counter.desk.later.close();
  }
}

interface Counter {
  readonly desk: Desk;
  /** Handlers for the box that the first caller belongs to. */
  handlers: Handlers | undefined;
}

function serveOnce(listener: Listener, options: SupervisorOptions, counter: Counter): 'continue' | 'end' {
  const { desk } = counter;
  switch (listener.wait(desk.later.patience())) {
    case 'gone':
      return 'end';
    case 'nothing':
      return 'continue';
    case 'woken':
      return settled(counter);
    case 'notified': {
      const notification = listener.receive();
      if (notification === undefined) return 'continue';
      counter.handlers ??= handlersFor(listener, options, { desk, notification });
      counter.handlers?.handle(notification);
      return 'continue';
    }
  }
}

function settled(counter: Counter): 'continue' | 'end' {
  const next = counter.desk.settle();
  if (next !== 'again') return next;
  counter.handlers?.close();
  counter.handlers = undefined;
  return 'continue';
}

interface Handlers {
  handle(notification: SeccompNotification): void;
  close(): void;
}

/** `linux/sched.h`. */
const cloneFs = 0x200;

interface First {
  readonly desk: Desk;
  readonly notification: SeccompNotification;
}

/** Undefined if the first caller was killed meanwhile. The next one works as well. */
function handlersFor(
  listener: Listener,
  options: SupervisorOptions,
  { desk, notification: { id, thread } }: First,
): Handlers | undefined {
  try {
    return handlers(listener, options, { desk, thread });
  } catch (error) {
    if (listener.isCurrent(id)) throw error;
    return undefined;
  }
}

interface Start {
  readonly desk: Desk;
  readonly thread: number;
}

function handlers(listener: Listener, options: SupervisorOptions, { desk, thread }: Start): Handlers {
  const view = openBoxView(thread);
  const box = {
    kind: 'box',
    start: (path: string) => ({ directory: view.root, way: path.replace(/^\/+/u, '') }),
  } as const;
  const host = hostSide(options.mounts);
  const held: (() => void)[] = [() => view.close(), () => host.close()];
  const supervision: Supervision = {
    options,
    listener,
    memory: callerMemory(),
    view,
    box,
    host,
    askFor: desk.askFor,
    atEnd: (letGo) => void held.push(letGo),
  };
  return { handle: handlerOf(supervision, { desk, thread }), close: () => held.forEach((letGo) => letGo()) };
}

function handlerOf(supervision: Supervision, { desk, thread }: Start): (notification: SeccompNotification) => void {
  const { options, listener } = supervision;
  const files = fileSupervisor(supervision);
  const byNumber = new Map<number, (notification: SeccompNotification) => void>();
  const add = <Call>(
    table: Readonly<Partial<Record<SyscallName, (args: readonly bigint[]) => Call | undefined>>>,
    handle: (notification: SeccompNotification, call: Call) => void,
  ): void => {
    for (const [name, decode] of Object.entries(table)) {
      if (isCall(name))
        byNumber.set(syscallNumber(name), (notification) => {
          const call = decode(notification.args);
          if (call === undefined) listener.resume(notification.id);
          else handle(notification, call);
        });
    }
  };
  add(fileCalls, (notification, call) => files.handle(notification, call));
  add(signalCalls, (notification, call) => handleSignal(supervision, notification, call));
  const whole =
    options.whole === undefined
      ? undefined
      : openWholeBox({ ...supervision, later: desk.later }, { options: options.whole, thread });
  if (options.groups.some((group) => group === 'executions' || group === 'guest-executions'))
    add(execCalls, execSupervisor(supervision, whole && ((program) => executionRefusal(whole, program))));
  if (options.groups.includes('memory-files'))
    add(memoryFileCalls, (notification, call) => handleMemoryFile(supervision, notification, call));
  if (whole !== undefined) return wholeHandlers(whole, options.whole?.network, byNumber);
  add(socketCalls, socketSupervisor(supervision));
  return (notification) =>
    (byNumber.get(notification.call) ?? ((unknown) => listener.resume(unknown.id)))(notification);
}

/**
 * `byNumber` answers calls that are about neither files nor sockets. Calls without a handler are refused, because no
 * mounts would limit them.
 */
function wholeHandlers(
  whole: Whole,
  network: WholeNetwork | undefined,
  byNumber: Map<number, (notification: SeccompNotification) => void>,
): (notification: SeccompNotification) => void {
  const { listener } = whole.supervision;
  for (const [name, handle] of wholeCalls(whole, network)) if (isCall(name)) byNumber.set(syscallNumber(name), handle);
  return (notification) =>
    (byNumber.get(notification.call) ?? ((unknown) => listener.answer(unknown.id, -eacces)))(notification);
}

/** arm64 has only the newer calls. */
function isCall(name: string): name is SyscallName {
  try {
    return syscallNumber(name as SyscallName) >= 0;
  } catch {
    return false;
  }
}

interface Desk {
  readonly later: Later;
  readonly askFor: (waiting: WaitingCall) => void;
  readonly settle: () => Woken['next'];
}

function openDesk(listener: Listener, { ask, answers, report }: SupervisorOptions): Desk {
  const waiting = new Map<number, WaitingCall>();
  let last = 0;
  const settleOne = (id: number, answer: AllowOrDeny): void => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (found === undefined || !listener.isCurrent(found.id)) return;
    for (const { request, verdict } of found.asked)
      report({ kind: answer === 'allow' ? 'approved' : 'refused', request, verdict });
    if (answer === 'allow') found.allowed();
    else {
      found.denied?.();
      listener.answer(found.id, -eacces);
    }
  };
  return {
    later: openLater(listener),
    askFor: (question) => {
      last += 1;
      waiting.set(last, question);
      ask({
        id: last,
        requests: question.asked.map(({ request, verdict }) => ({ request, verdict })),
        process: processOfThread(question.thread),
      });
    },
    settle: () => {
      const woken = answers();
      for (const { id, answer } of woken.answers) settleOne(id, answer);
      return woken.next;
    },
  };
}

interface WholeBox {
  readonly options: Pick<WholeOptions, 'protection' | 'found'>;
  /** Any thread of the box. */
  readonly thread: number;
}

function openWholeBox(
  { later, ...supervision }: Supervision & { readonly later: Later },
  { options: { protection, found: named }, thread }: WholeBox,
): Whole {
  const { policy, mounts } = supervision.options;
  const ground = madeHere(supervision.box, protection.roots.map(fromReadable));
  const found = withTargets(named, protection, supervision);
  const law = fileLaw({ policy, mounts, protection, ground, found });
  return {
    supervision,
    law,
    ground,
    others: otherNames(found),
    files: sealedFiles(supervision.atEnd),
    processes: boxProcesses(thread),
    later,
    told: new Set(),
  };
}
