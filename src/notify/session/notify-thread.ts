/**
 * Supervises one box after another. It has a thread to itself, because it blocks in the kernel between two calls of a
 * box.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Announcement } from '../../egress/session/local-entrance.ts';
import { kernelCall, rawKernel } from '../../kernel/index.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { limitsOf } from '../../policy/settings/limits.ts';
import { Trash } from '../../trash/trash.ts';
import { openListener } from '../listener/listener.ts';
import type { WholeOptions, Woken } from '../supervise/context.ts';
import { serveCalls } from '../supervise/serve.ts';
import {
  type FromThread,
  type CommandMemory,
  settledCommands,
  type SupervisedBox,
  type ThreadStart,
  type ToThread,
  type WholeData,
} from './messages.ts';

const { place, wake } = workerData as ThreadStart;
const port = parentPort as MessagePort;
const policy = policyOfPlace(place);
// Loading takes milliseconds, so load now, while the thread has no box yet.
rawKernel();
/** State of one box. */
interface Charge {
  readonly box: SupervisedBox;
  readonly settled: CommandMemory;
  /** The launcher's findings so far. */
  found: WholeOptions['found'];
}

let charge: Charge | undefined;
port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'box':
      charge = { box: message.box, settled: settledCommands(message.box.settled), found: [] };
      return;
    case 'settled':
      return charge?.settled.add(message.commands);
    case 'take':
      if (charge !== undefined) supervise(charge, message);
      return over();
    case 'end':
      return charge === undefined ? undefined : over();
    case 'answer':
    case 'found':
      return;
    case 'leave':
      port.close();
  }
});

function over(): void {
  charge?.box.whole?.network?.announcements.close();
  charge = undefined;
  port.emit('over', undefined); // to the loader of its bundle: scripts/entry-source.ts
  send({ kind: 'over' });
}

function supervise(charge: Charge, { listener: descriptor, found }: Extract<ToThread, { kind: 'take' }>): void {
  const {
    box: { mounts, groups, programs, pinned, session, whole },
    settled,
  } = charge;
  charge.found = found;
  const listener = openListener(descriptor, wake);
  const trash = new Trash({ directory: place.paths.trash, ...trashQuota() });
  dropPowers();
  send({ kind: 'serving' });
  serveCalls(listener, {
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
    answers: () => takeAnswers(charge),
    report: (event) => send({ kind: 'enforced', event }),
    ...(whole === undefined ? {} : { whole: wholeOf(whole, charge) }),
    keep: (request) => trash.keep(request).id,
  });
}

/** Announces each connection before it is made, because the accepting side looks it up first. */
function wholeOf({ protection, network }: WholeData, charge: Charge): WholeOptions {
  return {
    protection,
    get found() {
      return charge.found;
    },
    ...(network === undefined ? {} : { network: announcing(network) }),
  };
}

function announcing({
  announcements,
  ...rest
}: NonNullable<WholeData['network']>): NonNullable<WholeOptions['network']> {
  return {
    ...rest,
    announce: (source, dialled) => announcements.postMessage({ source, ...dialled } satisfies Announcement, []),
  };
}

/** "none" lifts a limit. */
function trashQuota(): { readonly bytes: number; readonly age: number } {
  const { trash = Infinity, trashAge = Infinity } = limitsOf(policy, { memory: place.memory });
  return { bytes: trash, age: trashAge };
}

function send(message: FromThread): void {
  port.postMessage(message);
}

function takeAnswers(charge: Charge): Woken {
  kernelCall('read', wake, Buffer.alloc(8), 8);
  const answers: Woken['answers'][number][] = [];
  let next: Woken['next'] = 'continue';
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: ToThread } | undefined;
    if (received === undefined) return { answers, next };
    if (received.message.kind === 'end') return { answers, next: 'end' };
    if (received.message.kind === 'settled') charge.settled.add(received.message.commands);
    if (received.message.kind === 'found') {
      charge.found = received.message.found;
      next = 'again';
    }
    if (received.message.kind === 'answer') answers.push(received.message);
  }
}

/** `linux/capability.h`. */
const capabilityVersion = 0x2008_0522;

/**
 * Drops all capabilities of the calling thread only. Otherwise a supervisor that runs as root would open files that
 * root in the box, which has no capabilities, may not open.
 */
function dropPowers(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(capabilityVersion, 0);
  kernelCall('capset', header, Buffer.alloc(24));
}
