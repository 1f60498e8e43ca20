/** The thread that supervises one box. It blocks in the kernel between two calls of the box, so it is one of its own. */
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import { dropPowers, openListener, serve, type Woken } from '../../notify/index.ts';
import { limitsOf } from '../../policy/index.ts';
import { Trash } from '../../trash/index.ts';
import { policyOfPlace } from '../planner.ts';
import { settledCommands } from './settled-commands.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

const data = workerData as ThreadData;
const port = parentPort as MessagePort;
const policy = policyOfPlace(data.place);
const settled = settledCommands(data.settled);
port.on('message', (message: ToThread) => {
  if (message.kind === 'settled') return settled.add(message.commands);
  if (message.kind === 'take') supervise(message.listener);
  port.close();
});

function supervise(descriptor: number): void {
  const { place, mounts, groups, programs, pinned, session, wake } = data;
  const listener = openListener(descriptor, wake);
  const trash = new Trash({ directory: place.paths.trash, ...trashQuota() });
  dropPowers();
  serve(listener, {
    policy,
    mounts,
    groups,
    programs,
    pinned,
    wasApproved: (request) => settled.isApproved(request),
    judgedAs: (command) => settled.judgedAs(command),
    home: place.home,
    workspace: place.workspace.root,
    session,
    ask: (question) => send({ kind: 'ask', question }),
    answers: () => takeAnswers(wake),
    report: (event) => send({ kind: 'enforced', event }),
    keep: (request) => trash.keep(request).id,
  });
}

/** A limit of "none" was lifted. */
function trashQuota(): { readonly bytes: number; readonly age: number } {
  const { trash = Infinity, trashAge = Infinity } = limitsOf(policy, { memory: data.place.memory });
  return { bytes: trash, age: trashAge };
}

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
    if (received.message.kind === 'settled') settled.add(received.message.commands);
    if (received.message.kind === 'answer') answers.push(received.message);
  }
}
