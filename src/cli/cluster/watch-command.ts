import process from 'node:process';
import type { ClusterCommand, ClusterEnd, ClusterOutput } from '../../cluster/session/types.ts';
import type { TerminalSize } from '../../session/commands/command-handle.ts';
import { endAtOnce } from '../main.ts';
import { DetachKeys, ownSize, rawTerminal } from '../serve/look-on.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Interruptible<Value> =
  | {
      readonly kind: 'done';
      readonly value: Value;
      readonly abort: () => void;
      /** A signal that came too late to stop the work. */
      readonly signal?: (typeof ending)[number];
    }
  | { readonly kind: 'interrupted'; readonly signal: (typeof ending)[number] };

/** Runs `work` until it is done or a signal comes. After a signal, `work` cleans up before this resolves. */
export async function interruptible<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Interruptible<Value>> {
  const controller = new AbortController();
  let got: (typeof ending)[number] | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    got ??= ending.find((each) => each === signal);
    controller.abort();
  };
  for (const signal of ending) process.on(signal, interrupt);
  try {
    const value = await work(controller.signal);
    return { kind: 'done', value, abort: () => controller.abort(), ...(got === undefined ? {} : { signal: got }) };
  } catch (error) {
    if (got === undefined || !isInterruption(error)) throw error;
    return { kind: 'interrupted', signal: got };
  } finally {
    for (const signal of ending) process.off(signal, interrupt);
  }
}

function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export interface WatchedStreams {
  /** The size of this process's terminal, if the command has one of its own. */
  readonly terminal: TerminalSize | undefined;
  /** A signal of an owner goes to the command. A visitor leaves. */
  readonly role: 'owner' | 'visitor';
  /** Ends a run whose command does not end: the third signal does. */
  readonly abort?: () => void;
}

/** Connects this process's streams to a command until it ends, or the visitor leaves. */
export async function watchCommand(command: ClusterCommand, watched: WatchedStreams): Promise<ClusterEnd> {
  const release = [passInput(command, watched), passSignals(command, watched)];
  if (watched.terminal !== undefined) command.resize(watched.terminal);
  try {
    return await command.ended;
  } finally {
    for (const step of release) step();
  }
}

function passInput(command: ClusterCommand, { terminal, role }: WatchedStreams): () => void {
  const { stdin } = process;
  const restore = terminal === undefined ? () => undefined : rawTerminal();
  const keys = terminal !== undefined && role === 'visitor' ? new DetachKeys() : undefined;
  stdin.on('data', (bytes: Buffer) => {
    const { typed, wish } = keys?.push(bytes) ?? { typed: bytes, wish: 'stay' };
    if (wish === 'leave') return command.leave();
    stdin.pause();
    void command.write(typed).then(() => stdin.resume());
  });
  stdin.once('error', () => stdin.destroy());
  if (role === 'owner') stdin.once('end', () => void command.endInput());
  return () => {
    restore();
    stdin.destroy();
  };
}

const mostSignals = 2;

function passSignals(command: ClusterCommand, { terminal, role, abort }: WatchedStreams): () => void {
  let signals = 0;
  const pass = (signal: NodeJS.Signals): void => {
    signals += 1;
    if (role === 'visitor') command.leave();
    else if (signals > mostSignals && abort !== undefined) abort();
    else command.signal(signal);
  };
  const resize = (): void => {
    const size = ownSize();
    if (terminal !== undefined && size !== undefined) command.resize(size);
  };
  for (const signal of forwarded) process.on(signal, pass);
  process.on('SIGWINCH', resize);
  return () => {
    for (const signal of forwarded) process.off(signal, pass);
    process.off('SIGWINCH', resize);
  };
}

/** Prints at the reader's pace. */
export function printTo(): ClusterOutput {
  return (name, bytes) => {
    const stream = process[name];
    if (stream.listenerCount('error') === 0) stream.on('error', endAtOnce);
    return new Promise((resolve) => stream.write(bytes, () => resolve()));
  };
}
