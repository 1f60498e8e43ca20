import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { ReadStream } from 'node:tty';
import { kernelCall } from '../../kernel/index.ts';

/** The terminal that a process was started from, during a question. */
export interface Terminal {
  readonly columns: number;
  show(text: string): void;
  /**
   * Resolves with the next line typed from now on. Undefined for Ctrl-C, Ctrl-\ and Ctrl-D, and if the signal is
   * aborted.
   */
  line(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Milliseconds for which typed keys are ignored after a question appears. Nobody has read it yet. */
const guard = 300;

/**
 * Opens the controlling terminal, because a standard stream may lead elsewhere. Keeps the terminal's settings,
 * including line mode, so that nothing needs restoring if this process is killed. So Enter must follow every answer.
 * `background`: another program has the keys, and a read would stop this one.
 */
export function openTerminal(): Terminal | 'absent' | 'background' {
  let descriptor: number;
  try {
    descriptor = openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return 'absent';
  }
  if (!isForeground()) {
    closeSync(descriptor);
    return 'background';
  }
  return terminalOf(descriptor);
}

/** proc(5): `pgrp` and `tpgid`. The name before them may contain blanks and brackets. */
function isForeground(): boolean {
  const status = readFileSync('/proc/self/stat', 'latin1');
  const [, , group, , , foreground] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}

function terminalOf(descriptor: number): Terminal {
  return {
    columns: columnsOf(descriptor),
    show: (text) => unlessGone(() => void writeSync(descriptor, text)),
    line: (signal) =>
      untilInterrupted(signal, async (stopped) => {
        await sleep(guard, stopped);
        const reader = stopped.aborted ? undefined : unlessGone(() => keysFromNow(descriptor));
        return reader === undefined ? undefined : readLine(reader.keys, stopped).finally(reader.close);
      }),
    close: () => closeSync(descriptor),
  };
}

/** A terminal that was closed meanwhile shows nothing and gives no answer. Other channels still work. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (gone.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** tty(4): errors of a terminal that hung up or no longer belongs to this process, and Node's errors for them. */
const gone: ReadonlySet<string> = new Set(['EIO', 'ENXIO', 'ENOTTY', 'ERR_TTY_INIT_FAILED']);

/**
 * Attack: keys pressed before the question could be read. A stream left open continues to read, and keeps bytes that no
 * flush reaches.
 */
function keysFromNow(descriptor: number): Keys {
  discardTyped(descriptor);
  return openKeys();
}

interface Keys {
  readonly keys: ReadStream;
  readonly close: () => void;
}

/**
 * Node opens the terminal a second time, to read it without blocking, and closes that descriptor itself. The first one
 * stays ours.
 */
function openKeys(): Keys {
  const descriptor = openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY);
  const keys = new ReadStream(descriptor);
  const { fd } = (keys as unknown as { readonly _handle: { readonly fd: number } })._handle;
  keys.on('error', () => keys.destroy());
  return {
    keys,
    close: () => {
      keys.destroy();
      if (fd !== descriptor) closeSync(descriptor);
    },
  };
}

/** A terminal that does not know its size reports 0. ioctl_tty(2). */
function columnsOf(descriptor: number): number {
  const size = Buffer.alloc(8);
  unlessGone(() => kernelCall('ioctl', descriptor, tiocgwinsz, size));
  const columns = size.readUInt16LE(2);
  return columns === 0 ? 80 : columns;
}

const tiocgwinsz = 0x5413;

/** Ctrl-C and Ctrl-\ end the question, not the process. */
async function untilInterrupted<T>(signal: AbortSignal, act: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  for (const name of interrupts) process.on(name, stop);
  try {
    return await act(controller.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    for (const name of interrupts) process.off(name, stop);
  }
}

const interrupts = ['SIGINT', 'SIGQUIT'] as const;

const [tcflsh, tciflush] = [0x540b, 0];

/** Attack: an earlier program makes a person type keys early, which then answer the question. ioctl_tty(2). */
function discardTyped(descriptor: number): void {
  kernelCall('ioctl', descriptor, tcflsh, tciflush);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** Characters of an answer. A longer line is no answer. */
const longestLine = 100;
/** Codes of Ctrl-C, Ctrl-D and Ctrl-\ from a terminal that a program left raw. Its lines end with a carriage return. */
const interruptKeys = ['\u0003', '\u0004', '\u001c'];

function readLine(keys: ReadStream, stopped: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = '';
    const end = (line: string | undefined): void => {
      keys.off('data', take).off('end', none).off('close', none).pause();
      stopped.removeEventListener('abort', none);
      resolve(line);
    };
    const none = (): void => end(undefined);
    const take = (bytes: Buffer | string): void => {
      typed = `${typed}${bytes.toString()}`.slice(0, longestLine);
      if (interruptKeys.some((key) => typed.includes(key))) return none();
      const line = /^([^\r\n]*)[\r\n]/u.exec(typed);
      if (line !== null || typed.length === longestLine) end(line?.[1] ?? '');
    };
    keys.on('data', take).on('end', none).on('close', none);
    stopped.addEventListener('abort', none);
    keys.resume();
  });
}
