import process from 'node:process';
import { kernelCall } from '../../kernel/index.ts';
import type { ClientCall } from '../../serve/client/connect-server.ts';
import type { WatchedCommand } from '../../serve/requests/exec.ts';
import type { TerminalSize } from '../../session/commands/command-handle.ts';
import { type CommandIo, safeLine } from '../command.ts';
import { endAtOnce } from '../main.ts';

export interface LookOptions {
  /** `terminal`: this process's terminal in raw mode. `streams`: any streams. */
  readonly at: 'terminal' | 'streams';
  /** Whether the end of stdin ends the command's input too, and the effect of a signal. */
  readonly role: 'owner' | 'visitor';
}

/** Returns the size of this process's terminal. Undefined if stdin or stdout is not a terminal. */
export function ownSize(): TerminalSize | undefined {
  const { stdin, stdout } = process;
  return stdin.isTTY && stdout.isTTY ? { columns: stdout.columns || 80, rows: stdout.rows || 24 } : undefined;
}

/** Connects this process's streams to a command, until it ends or the person leaves. Resolves to the exit status. */
export async function lookOn(call: ClientCall<WatchedCommand>, options: LookOptions, io: CommandIo): Promise<number> {
  const release = [passInput(call, options), passSignals(call, options)];
  const seen = await follow(call, io).finally(() => release.forEach((step) => step()));
  return report(seen, io);
}

async function follow(call: ClientCall<WatchedCommand>, io: CommandIo): Promise<WatchedCommand> {
  call.onNote((note) => tellMissing(note, io));
  for await (const { stream, data } of call.output())
    await print(stream === 'stdout' ? process.stdout : process.stderr, data, call);
  return await call.result;
}

function passInput(call: ClientCall<WatchedCommand>, { at, role }: LookOptions): () => void {
  const { stdin } = process;
  const keys = at === 'terminal' ? new DetachKeys() : undefined;
  const restore = at === 'terminal' ? rawTerminal() : () => undefined;
  stdin.on('data', (bytes: Buffer) => {
    const { typed, wish } = keys?.push(bytes) ?? { typed: bytes, wish: 'stay' };
    stdin.pause();
    void call.write(typed).then((sent) => {
      if (wish === 'leave') call.leave();
      else if (sent === 'sent') stdin.resume();
    });
  });
  stdin.once('error', () => stdin.destroy());
  if (role === 'owner') stdin.once('end', () => call.endInput());
  return () => {
    restore();
    stdin.destroy();
  };
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** A signal lets a visitor leave. An owner's signals go to the command. */
function passSignals(call: ClientCall<WatchedCommand>, { at, role }: LookOptions): () => void {
  const pass = (signal: NodeJS.Signals): void => (role === 'owner' ? call.signal(signal) : call.leave());
  const resize = (): void => {
    const size = ownSize();
    if (at === 'terminal' && size !== undefined) call.resize(size);
  };
  for (const signal of forwarded) process.on(signal, pass);
  process.on('SIGWINCH', resize);
  return () => {
    for (const signal of forwarded) process.off(signal, pass);
    process.off('SIGWINCH', resize);
  };
}

/**
 * Prints at the reader's pace. If the reader has closed the stream, the command gets the signal that the kernel would
 * send. Other write errors are failures.
 */
async function print(stream: NodeJS.WriteStream, data: Buffer, call: ClientCall<WatchedCommand>): Promise<void> {
  if (stream.listenerCount('error') === 0)
    stream.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' ? call.signal('SIGPIPE') : endAtOnce(error),
    );
  if (stream.writable) await new Promise((resolve) => stream.write(data, resolve));
}

/** The oldest output may have been dropped. */
export function tellMissing(note: unknown, io: CommandIo): void {
  if (typeof note === 'object' && note !== null && 'kind' in note && note.kind === 'missing' && 'bytes' in note)
    io.stderr.write(`holdfast: ${Number(note.bytes)} bytes before this are not kept any more\n`);
}

function report(seen: WatchedCommand, io: CommandIo): number {
  if (seen.kind === 'left') {
    io.stderr.write(`holdfast: ${seen.id} goes on: holdfast attach ${seen.id}\n`);
    return 0;
  }
  for (const notice of seen.notices) io.stderr.write(`${safeLine(notice)}\n`);
  return seen.exitCode;
}

/** Ctrl-\ */
const key = 0x1c;

/** Finds two Ctrl-\ in a row in typed keys. A single one goes to the command, with the key after it. */
export class DetachKeys {
  #held: 'none' | 'one' = 'none';

  /** Returns the keys for the command, and whether the person leaves. Later keys are dropped. */
  push(bytes: Buffer): { readonly typed: Buffer; readonly wish: 'stay' | 'leave' } {
    const typed: number[] = [];
    for (const byte of bytes) {
      if (byte === key && this.#held === 'one') return { typed: Buffer.from(typed), wish: 'leave' };
      if (this.#held === 'one') typed.push(key);
      this.#held = byte === key ? 'one' : 'none';
      if (byte !== key) typed.push(byte);
    }
    return { typed: Buffer.from(typed), wish: 'stay' };
  }
}

/**
 * `asm-generic/ioctls.h`, and `struct termios` of `asm-generic/termbits.h`: four flags of 4 bytes, a byte, 19
 * characters.
 */
const [getAttributes, setAttributes] = [0x5401, 0x5402];
const attributesSize = 36;
const outputFlags = 4;
const processOutput = 1;

/**
 * Passes every key to a command, and all its output to the screen, until the returned function is called. Node's raw
 * mode still adds a carriage return before each line feed. That garbles a full-screen program: its own terminal has
 * already added one, or must not.
 */
export function rawTerminal(): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  stdin.setRawMode(true);
  const attributes = Buffer.alloc(attributesSize);
  kernelCall('ioctl', stdin.fd, getAttributes, attributes);
  attributes.writeUInt32LE((attributes.readUInt32LE(outputFlags) & ~processOutput) >>> 0, outputFlags);
  kernelCall('ioctl', stdin.fd, setAttributes, attributes);
  return () => void stdin.setRawMode(false);
}
