/** The thread that supervises one box. It blocks in the kernel between two calls of the box, so it is one of its own. */
import { closeSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { isKernelError, kernelCall } from '../../kernel/index.ts';
import { dropPowers, openListener, serve, takeDescriptor, type Woken } from '../../notify/index.ts';
import { limitsOf, type Policy } from '../../policy/index.ts';
import { Trash } from '../../trash/index.ts';
import { policyOfPlace } from '../planner.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

const data = workerData as ThreadData;
const port = parentPort as MessagePort;
const policy = policyOfPlace(data.place);
port.once('message', (message: ToThread) => {
  if (message.kind === 'take') supervise(message, policy);
  port.close();
});

function supervise({ pid, descriptor }: Extract<ToThread, { kind: 'take' }>, rules: Policy): void {
  const { place, mounts, groups, session } = data;
  const held = takeOrNothing(pid, descriptor);
  if (held === undefined) return send({ kind: 'gone' });
  const wake = kernelCall('eventfd2', 0, closeOnExec);
  const listener = openListener(held, wake);
  const trash = new Trash({ directory: place.paths.trash, ...trashQuota(rules, place) });
  dropPowers();
  send({ kind: 'ready', wake });
  serve(listener, {
    policy: rules,
    mounts,
    groups,
    home: place.home,
    workspace: place.workspace.root,
    session,
    ask: (question) => send({ kind: 'ask', question }),
    answers: () => takeAnswers(wake),
    report: (event) => send({ kind: 'enforced', event }),
    keep: (request) => trash.keep(request).id,
  });
  listener.close();
  closeSync(wake);
}

/** A limit of "none" was lifted. */
function trashQuota(rules: Policy, { memory }: ThreadData['place']): { readonly bytes: number; readonly age: number } {
  const { trash = Infinity, trashAge = Infinity } = limitsOf(rules, { memory });
  return { bytes: trash, age: trashAge };
}

/** A box may be killed before its command has begun. */
function takeOrNothing(pid: number, descriptor: number): number | undefined {
  try {
    return takeDescriptor(pid, descriptor);
  } catch (error) {
    if (isKernelError(error, 'ESRCH')) return undefined;
    throw error;
  }
}

const closeOnExec = 0o2000000;

function send(message: FromThread): void {
  port.postMessage(message);
}

function takeAnswers(wake: number): Woken {
  kernelCall('read', wake, Buffer.alloc(8), 8);
  const answers: Woken['answers'][number][] = [];
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: ToThread } | undefined;
    if (received === undefined) return { answers, next: 'continue' };
    if (received.message.kind === 'end') return { answers, next: 'end' };
    if (received.message.kind === 'answer') answers.push(received.message);
  }
}
