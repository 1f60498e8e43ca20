/**
 * The program inside a tool's box. It loads one tool, and runs it for each input that the supervisor sends. It has no
 * network, no environment and no files except its own, and asks the supervisor for everything else. Node treats
 * WebAssembly as trusted code. So the engines are only one layer, and the box around this process is the boundary.
 */
import { readSync, writeSync } from 'node:fs';
import process from 'node:process';
import {
  encodeToolFrame,
  frameHeaderLength,
  largestToolFrame,
  largestToolPayload,
  longestLogLine,
  toolsVersion,
  tooMuch,
} from '../protocol/frames.ts';
import type { FailureReason, FromHost, ToHost } from '../protocol/messages.ts';
import { type Bridge, type Engine, type Load, type EngineOutcome, ToolFailure } from './engine.ts';

const sleeper = new Int32Array(new SharedArrayBuffer(4));

const channel = syncChannel(0, 1);

const bridge: Bridge = {
  call(call) {
    // Refused here, because the frame may be longer than the supervisor accepts.
    const sent = call.what === 'http' ? call.body : call.what === 'writeFile' ? call.data : undefined;
    const bytes = Buffer.byteLength(sent ?? '', 'base64');
    if (bytes > largestToolPayload) return { kind: 'refused', message: tooMuch(bytes) };
    channel.send(call);
    const answer = channel.receive();
    // The supervisor ended during a call, so this process ends too.
    if (answer === undefined) process.exit(0);
    if (answer.kind !== 'answer' && answer.kind !== 'refused') throw new RangeError('the supervisor gave no answer');
    return answer;
  },
  log: (level, text) => channel.send({ kind: 'log', level, text: text.slice(0, longestLogLine).toWellFormed() }),
};

async function main(): Promise<void> {
  channel.send({ kind: 'ready', version: toolsVersion });
  let engine: Engine | undefined;
  for (let message = channel.receive(); message !== undefined; message = channel.receive())
    engine = await obey(message, engine);
}

async function obey(message: ToHost, engine: Engine | undefined): Promise<Engine | undefined> {
  switch (message.kind) {
    case 'load':
      return load(message);
    case 'run':
      if (engine === undefined) throw new RangeError('nothing is loaded');
      tell(engine.run(Buffer.from(message.input, 'base64')));
      engine.prepare?.();
      return engine;
    case 'answer':
    case 'refused':
      throw new RangeError('an answer without a question');
  }
}

async function load(load: Load): Promise<Engine | undefined> {
  try {
    const engine = await engineFor(load);
    channel.send({ kind: 'loaded' });
    engine.prepare?.();
    return engine;
  } catch (error) {
    const reason: FailureReason = error instanceof ToolFailure ? error.reason : 'invalid';
    tell({
      kind: 'failed',
      reason,
      message: error instanceof Error ? error.message : String(error),
      afterwards: 'leaves',
    });
    return undefined;
  }
}

/** Loads only the engine that is needed, because each takes time to load. */
async function engineFor(load: Load): Promise<Engine> {
  if (load.language === 'wasm') return (await import('./wasm/wasm-engine.ts')).wasmEngine(load, bridge);
  return (await import('./javascript/javascript-engine.ts')).javascriptEngine(load, bridge);
}

function tell(outcome: EngineOutcome): void {
  const { afterwards } = outcome;
  if (outcome.kind === 'output') channel.send({ kind: 'output', data: outcome.data.toString('base64'), afterwards });
  else
    channel.send({
      kind: 'failed',
      reason: outcome.reason,
      message: outcome.message.slice(0, 2000).toWellFormed(),
      afterwards,
    });
  if (afterwards === 'leaves') process.exit(0);
}

void main();

/** A synchronous channel to the supervisor. There is no event loop: a guest that calls out waits for its answer. */
interface SyncChannel {
  send(message: FromHost): void;
  /** Undefined if the supervisor has closed the channel. */
  receive(): ToHost | undefined;
}

function syncChannel(input: number, output: number): SyncChannel {
  return {
    send: (message) => writeAll(output, encodeToolFrame(message)),
    receive() {
      const header = readExactly(input, frameHeaderLength);
      if (header === undefined) return undefined;
      const length = header.readUInt32LE(0);
      if (length > largestToolFrame) throw new RangeError('the supervisor sent too much');
      const body = readExactly(input, length);
      return body === undefined ? undefined : (JSON.parse(body.toString()) as ToHost);
    },
  };
}

function readExactly(fd: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = patiently(() => readSync(fd, bytes, at, length - at, null));
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(fd, bytes, at));
}

/** The process that shares the descriptor may have made it non-blocking. */
function patiently(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
