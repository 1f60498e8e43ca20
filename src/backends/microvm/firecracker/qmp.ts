import type { Socket } from 'node:net';
import { machineError } from './vm-process.ts';

/** One connection to the monitor of a qemu process, in its JSON protocol. */
export interface Qmp {
  /** Returns the command's result. Rejects with qemu's message if qemu refuses, or if it stays silent for a minute. */
  command(name: string, words?: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): void;
}

/** Milliseconds. */
const patience = 60_000;
const longestLine = 1 << 20;

/** Greets the monitor at the other end of `socket`. Rejects if there is no monitor. */
export async function openQmp(socket: Socket): Promise<Qmp> {
  const lines = lineReader(socket);
  const greeting = await lines.next();
  if (!isRecord(greeting) || !('QMP' in greeting)) throw machineError('the other end is not a qemu monitor');
  const qmp: Qmp = {
    async command(name, words = {}) {
      socket.write(`${JSON.stringify({ execute: name, arguments: words })}\n`);
      for (;;) {
        const answer = await lines.next();
        if (!isRecord(answer)) throw machineError(`qemu ended, or sent an invalid answer to ${name}`);
        if ('return' in answer) return answer['return'];
        // Unsolicited events may arrive before the answer.
        if ('error' in answer) throw machineError(`qemu refuses ${name}: ${descriptionOf(answer['error'])}`);
      }
    },
    close: () => socket.destroy(),
  };
  await qmp.command('qmp_capabilities');
  return qmp;
}

interface LineReader {
  /** Returns the next line. Undefined for invalid JSON and at the end of the stream. */
  next(): Promise<unknown>;
}

function lineReader(socket: Socket): LineReader {
  const read: unknown[] = [];
  let [rest, ended] = ['', false];
  let wake = (): void => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const [first = '', ...others] = piece.split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    read.push(...lines.map(parse));
    if (rest.length > longestLine) socket.destroy();
    wake();
  });
  socket.on('error', end).on('close', end);
  return {
    async next() {
      for (const until = performance.now() + patience; ; ) {
        if (read.length > 0) return read.shift();
        if (ended || performance.now() > until) return undefined;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patience);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function descriptionOf(error: unknown): string {
  const text = isRecord(error) ? error['desc'] : undefined;
  return typeof text === 'string' ? text.replace(/[^\x20-\x7e]/gu, '?').slice(0, 500) : 'it does not say why';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
