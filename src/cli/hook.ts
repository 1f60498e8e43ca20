import { closeSync, readSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { agentNames, type AgentName, type HookReply } from '../agents/hooks/types.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Command, CommandInput } from './command.ts';
import { wantsResident } from './front/own-name.ts';

const usage = `usage: holdfast hook claude|codex|gemini|opencode [DESCRIPTOR]

\`holdfast init\` writes this command into the settings of an agent. It reads one hook call on stdin, in the JSON form of
that agent, and answers in the same form. It refuses a command or runs it in the box. The policy decides about files and
hosts, and results are filtered. A call that it cannot answer is refused. It exits with 0, or with 2 where the agent
expects a refusal that way.

DESCRIPTOR is the number of an open file descriptor. With it, the command closes stdout and stderr after its answer, and
writes the exit status there as one byte. The caller need not wait for the process to end.`;

/** Bytes. A result with pictures is larger than any call. */
const most = 32 * 1024 * 1024;

const pieceSize = 64 * 1024;

export const hookCommand: Command = {
  name: 'hook',
  inBox: 'works',
  usage,
  options: {},
  positionals: 'any',
  run: answer,
};

async function answer(input: CommandInput): Promise<number> {
  const [name, descriptor] = wordsOf(input);
  const agent = namedAgent({ ...input, positionals: [name] });
  const { stdout, stderr, status } = await reply(agent, input);
  const written = [writeOutput('stdout', stdout, input.io), writeOutput('stderr', stderr, input.io)];
  if (descriptor !== undefined && written.every((each) => each === 'written')) {
    // Otherwise the cache is written when the process ends, and the process may be killed before that.
    flushCompileCache();
    if (wantsResident()) await startForHooks(input.io.environment);
    sayStatus(Number(descriptor), status);
  }
  return status;
}

/** Started before the answer, because the waiting agent ends this process once it has the answer. */
async function startForHooks(environment: CommandInput['io']['environment']): Promise<void> {
  const { startForHook } = await import('./resident/start-resident.ts');
  startForHook(environment);
}

function wordsOf({ positionals }: CommandInput): readonly [name: string, descriptor: string | undefined] {
  const [name = '', descriptor, ...more] = positionals;
  if (more.length === 0 && (descriptor === undefined || /^[0-9]{1,4}$/u.test(descriptor))) return [name, descriptor];
  throw new HoldfastError(
    'HF_USAGE',
    `expected an agent and the number of a descriptor, got ${JSON.stringify(positionals.join(' '))}`,
    { remedy: 'see `holdfast hook --help`' },
  );
}

/** Must not throw: any exit status but 0 and 2 lets the tool run. */
async function reply(agent: AgentName, input: CommandInput): Promise<HookReply> {
  const [{ answerHook, refuseHook: refuseCall }, { openHookHost }] = await Promise.all([
    import('../agents/hooks/answer-hook.ts'),
    import('../agents/hooks/open-host.ts'),
  ]);
  try {
    const call = await readInput(most);
    if (call === undefined)
      return refuseCall(
        agent,
        `Holdfast refuses: the hook was called with more than ${most} bytes, or with text that is not UTF-8`,
      );
    return await answerHook(
      agent,
      call,
      openHookHost({
        agent,
        environment: { ...input.io.environment, PWD: input.io.cwd },
        program: [process.execPath, resolve(process.argv[1] ?? '')],
      }),
    );
  } catch (error) {
    return refuseCall(
      agent,
      `Holdfast refuses: its hook failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export function namedAgent({ positionals }: CommandInput): AgentName {
  const [name, ...more] = positionals;
  const agent = agentNames.find((each) => each === name);
  if (agent !== undefined && more.length === 0) return agent;
  throw new HoldfastError(
    'HF_USAGE',
    (name ?? '') === '' ? 'no agent was named' : `there is no agent ${JSON.stringify(positionals.join(' '))}`,
    { remedy: `name one of: ${agentNames.join(', ')}` },
  );
}

/**
 * Returns all of stdin as UTF-8. Undefined if it is too long, or invalid. A stream costs a fifth of the process's time,
 * so it is made only if a read would have to wait.
 */
async function readInput(most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of pieces()) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

async function* pieces(): AsyncGenerator<Buffer, void> {
  for (let piece = readPiece(); piece !== 'end'; piece = readPiece()) {
    if (piece === 'later') return yield* process.stdin as AsyncIterable<Buffer>;
    yield piece;
  }
}

function readPiece(): Buffer | 'end' | 'later' {
  const piece = Buffer.allocUnsafe(pieceSize);
  try {
    const length = readSync(0, piece);
    return length === 0 ? 'end' : piece.subarray(0, length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'later';
    throw error;
  }
}

/** Writes without a stream if everything fits at once, and returns `written`. */
function writeOutput(name: 'stdout' | 'stderr', text: string, io: CommandInput['io']): 'written' | 'later' {
  const bytes = Buffer.from(text);
  if (bytes.length <= pieceSize && writeNow(name === 'stdout' ? 1 : 2, bytes) === 'written') return 'written';
  io[name].write(text);
  return 'later';
}

/** Tells readers that both streams have ended, so they need not wait for the end of the process. */
function sayStatus(descriptor: number, status: number): void {
  for (const stream of [1, 2]) closeSync(stream);
  writeSync(descriptor, Buffer.of(status));
}

/** `later`: nothing was written, because the write would have to wait. */
function writeNow(descriptor: 1 | 2, bytes: Buffer): 'written' | 'later' {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      if (at === 0) return 'later';
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return 'written';
}
