import { closeSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { kernelCall, openAt, type SyscallName } from '../../kernel/index.ts';
import { decide } from '../../policy/decide.ts';
import type { SignalRequest } from '../../policy/request.ts';
import { strictnessOf, type Verdict } from '../../policy/verdict.ts';
import { int, type SeccompNotification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import { namesInBox } from '../view/caller.ts';
import type { Supervision } from './context.ts';

/** A signal to be sent. All of its arguments are in registers, so the kernel performs exactly the judged call. */
export interface SignalCall {
  readonly signal: number;
  /** The target in the box's PID namespace: one process, or zero and less for groups and for all. */
  readonly to: (thread: number) => number;
}

type Args = readonly bigint[];

const toFirst = ([to, signal]: Args): SignalCall => ({ signal: int(signal), to: () => int(to) });
const toFirstBySecond = ([to, , signal]: Args): SignalCall => ({ signal: int(signal), to: () => int(to) });

export const signalCalls: Readonly<Partial<Record<SyscallName, (args: Args) => SignalCall>>> = {
  kill: toFirst,
  tkill: toFirst,
  tgkill: toFirstBySecond,
  rt_sigqueueinfo: toFirst,
  rt_tgsigqueueinfo: toFirstBySecond,
  pidfd_send_signal: ([descriptor, signal]) => ({
    signal: int(signal),
    to: (thread) => processOfDescriptor(thread, int(descriptor)),
  }),
};

/** `EPERM`: the kernel's answer to a caller that may not signal. */
const eperm = 1;
const noSuchProcess = 3;

export function handleSignal(supervision: Supervision, notification: SeccompNotification, call: SignalCall): void {
  const { listener, options } = supervision;
  const { id, thread } = notification;
  // Signal zero only checks that the process exists.
  if (call.signal === 0) return listener.resume(id);
  const to = call.to(thread);
  const { request, verdict } = judge(supervision, { thread, to, signal: call.signal });
  switch (verdict.decision) {
    case 'allow':
      return listener.resume(id);
    case 'audit':
      options.report({ kind: 'audited', request, verdict });
      return listener.resume(id);
    case 'ask':
      return supervision.askFor({ id, thread, asked: [{ request, verdict }], allowed: () => listener.resume(id) });
    case 'redirect':
      options.report({ kind: 'redirected', request, verdict });
      return listener.answer(id, sendInstead(supervision, to, verdict));
    case 'stage':
    case 'deny':
      options.report({ kind: 'refused', request, verdict });
      return listener.answer(id, -eperm);
  }
}

interface Judged {
  readonly request: SignalRequest;
  readonly verdict: Verdict;
}

/** A group may hold several targets. The strictest judgement counts. */
function judge(
  { options: { policy }, view: { root } }: Supervision,
  { thread, to, signal }: { readonly thread: number; readonly to: number; readonly signal: number },
): Judged {
  const caller = namesInBox(thread).process;
  const targets: readonly SignalRequest['target'][] =
    to > 0 ? [relation(root, caller, to)] : to === -1 ? ['child', 'box'] : ['self', 'child', 'box'];
  const judged = targets.map((target): Judged => {
    const request: SignalRequest = { kind: 'signal', signal: signalName(signal), target };
    return { request, verdict: decide(policy, request) };
  });
  return judged.reduce((worst, next) =>
    strictnessOf(next.verdict.decision) > strictnessOf(worst.verdict.decision) ? next : worst,
  );
}

/** Every descendant counts as a child. A process that has lost its parent belongs to the box. */
function relation(root: number, caller: number, to: number): SignalRequest['target'] {
  let process = inBox(root, to, 'Tgid');
  if (process === caller) return 'self';
  for (let depth = 0; depth < deepest && process !== undefined && process > 1; depth += 1) {
    process = inBox(root, process, 'PPid');
    if (process === caller) return 'child';
  }
  return 'box';
}

const deepest = 4096;

/** A number from `/proc/PID/status`, as the box itself would read it. */
function inBox(root: number, process: number, field: string): number | undefined {
  try {
    const status = openAt(root, `proc/${process}/status`, { flags: 0, resolve: asJudged });
    try {
      return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'mu').exec(readFileSync(status, 'latin1'))?.[1]);
    } finally {
      closeSync(status);
    }
  } catch {
    return undefined;
  }
}

/** Returns 0 if the descriptor is not a process. The kernel refuses such a call, and it is judged like a group. */
function processOfDescriptor(thread: number, descriptor: number): number {
  try {
    return Number(/^NSpid:.*?(\d+)$/mu.exec(readFileSync(`/proc/${thread}/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function sendInstead({ view: { root } }: Supervision, to: number, { redirectTo = '' }: Verdict): number {
  const signal = signalNumbers.get(redirectTo.toUpperCase().replace(/^(?!SIG)/u, 'SIG'));
  if (signal === undefined || to <= 0) return -eperm;
  try {
    const directory = openAt(root, `proc/${to}`, { flags: openFlags.directory, resolve: asJudged });
    try {
      return kernelCall('pidfd_send_signal', directory, signal, 0, 0);
    } finally {
      closeSync(directory);
    }
  } catch {
    return -noSuchProcess;
  }
}

const signalNumbers: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));
const namesByNumber: ReadonlyMap<number, string> = new Map([...signalNumbers].map(([name, number]) => [number, name]));
const firstRealTime = 34;

function signalName(number: number): string {
  return namesByNumber.get(number) ?? (number >= firstRealTime ? `SIGRTMIN+${number - firstRealTime}` : `SIG${number}`);
}
