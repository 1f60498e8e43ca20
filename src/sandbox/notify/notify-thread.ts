/** The thread that supervises one box. It blocks in the kernel between two calls of the box, so it is one of its own. */
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import { dropPowers, openListener, serve, type WholeOptions, type Woken } from '../../notify/index.ts';
import { limitsOf } from '../../policy/index.ts';
import { Trash } from '../../trash/index.ts';
import { policyOfPlace } from '../planner.ts';
import { settledCommands } from './settled-commands.ts';
import type { Announcement } from '../network/local-entrance.ts';
import type { FromThread, SupervisedBox, ThreadStart, ToThread, WholeData } from './messages.ts';

const { place, wake } = workerData as ThreadStart;
const port = parentPort as MessagePort;
const policy = policyOfPlace(place);
const settled = settledCommands([]);
let box: SupervisedBox | undefined;
port.on('message', (message: ToThread) => {
  if (message.kind === 'settled') return settled.add(message.commands);
  if (message.kind === 'box') {
    box = message.box;
    return settled.add(box.settled);
  }
  if (message.kind === 'take' && box !== undefined) supervise(box, message);
  port.close();
});

function supervise({ mounts, groups, programs, pinned, session, whole }: SupervisedBox, { listener: descriptor, found }: Extract<ToThread, { kind: 'take' }>): void {
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
    ...(whole === undefined ? {} : { whole: wholeOf(whole, found) }),
    keep: (request) => trash.keep(request).id,
  });
}

/** Each connection is announced before it is made: whoever accepts it looks here first. */
function wholeOf({ protection, network }: WholeData, found: WholeOptions['found']): WholeOptions {
  if (network === undefined) return { protection, found };
  const { announcements, ...rest } = network;
  return { protection, found, network: { ...rest, announce: (source, dialled) => announcements.postMessage({ source, ...dialled } satisfies Announcement, []) } };
}

/** A limit of "none" was lifted. */
function trashQuota(): { readonly bytes: number; readonly age: number } {
  const { trash = Infinity, trashAge = Infinity } = limitsOf(policy, { memory: place.memory });
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
