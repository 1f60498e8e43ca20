import process from 'node:process';
import { FrontLauncher } from '../../backends/launcher/front-launcher.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { takeDescriptor } from '../../kernel/index.ts';
import { admitCommand, openSession, planBox, type Session } from '../../session/session.ts';
import { startBox } from '../../session/running-box.ts';
import { type SpareParts, SpareShelf } from '../../session/spare-parts.ts';
import { withheldNow } from '../../session/withheld-now.ts';
import { encodeFrontReply, type FrontReply, greeting } from '../../serve/resident/front-reply.ts';
import type { FrontProcess } from '../../serve/resident/front-server.ts';
import { installedFiles, residentName } from '../../serve/resident/resident-name.ts';
import { startResident, type Resident } from '../../serve/resident/start-resident.ts';
import { ownTerminal } from '../approvals/own-terminal.ts';
import { sessionOptions } from '../box-options.ts';
import { type CommandInput, type CommandIo, safeText, optionText } from '../command.ts';
import type { AgentRun } from '../agent-run.ts';
import { checkSandboxOptions } from '../full-guarantees.ts';
import { describeError, exitStatusOf, explained, parseCommandLine } from '../main.ts';
import { reportEnding, runCommand, sayBefore, sayGaps, withAgent } from '../run.ts';

/** Idle minutes after which a supervisor ends. */
const idleMinutes = 15;

/**
 * Serves fronts until none has asked for a while. Exits with 0 if another supervisor of this version runs already. Also
 * exits with 0 if an update came since the start: this process has the old code, and would take the new version's name.
 */
export async function serveResident(runtime: string, { io, values }: CommandInput): Promise<number> {
  const files = installedFiles();
  if (values['of'] !== undefined && values['of'] !== residentName('front', files)) return 0;
  const log = (line: string): void => void io.stderr.write(safeText(`${new Date().toISOString()} ${line}\n`));
  // Its files are this user's alone, under every umask of the starting run.
  process.umask(0o077);
  const spares = new SpareShelf();
  const rest = setTimeout(tidyUp, restMs).unref();
  const refill = setTimeout(() => spares.refill(), refillMs).unref();
  const serve = (front: FrontProcess): Promise<void> => {
    rest.refresh();
    return runForFront(front, spares).finally(() => void [rest.refresh(), refill.refresh()]);
  };
  const resident = await orAnother(() =>
    startResident({
      runtime,
      run: serve,
      files,
      idleMs: idleOf(optionText(values['idle'])),
      log,
    }),
  );
  if (resident === undefined) return 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resident.end());
  await resident.ended;
  await spares.close();
  return 0;
}

/**
 * Milliseconds since a run last began or ended. A collection takes 50 to 250. With only 500, it delayed the first
 * connections of an agent that had just started.
 */
const restMs = 5000;

/** Otherwise the garbage of a thousand runs stays until the heap has doubled. */
function tidyUp(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Milliseconds. By then the front has ended, and the person has not yet typed the next command. */
const refillMs = 20;

async function orAnother(start: () => Promise<Resident>): Promise<Resident | undefined> {
  try {
    return await start();
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_SERVE_RUNNING') return undefined;
    throw error;
  }
}

function idleOf(seconds: string | undefined): number {
  if (seconds === undefined) return idleMinutes * 60_000;
  if (/^\d{1,6}$/u.test(seconds) && Number(seconds) > 0) return Number(seconds) * 1000;
  throw new HoldfastError('HF_USAGE', `expected a number of seconds after --idle, got ${JSON.stringify(seconds)}`, {
    remedy: 'use --idle 900',
  });
}

/** Runs a command in a box whose launcher the front becomes. Leaves other runs to Node. */
async function runForFront(front: FrontProcess, spares: SpareParts): Promise<void> {
  const words: string[] = [];
  const launched: { launcher?: FrontLauncher } = {};
  const heartbeat = setInterval(() => front.socket.write(greeting), heartbeatMs);
  try {
    const run = await withAgent(parseCommandLine(runCommand, front.request.words.slice(1), ioOf(front, words)));
    if (isForNode(run.input)) return reply(front, { kind: 'cold' });
    await runAdopted(front, run, {
      words,
      spares,
      adopt: () => {
        clearInterval(heartbeat);
        return (launched.launcher = adopt(front, words));
      },
    });
  } catch (error) {
    const text = `${words.join('')}${safeText(describeError(await explained(error, runCommand)))}\n`;
    const status = exitStatusOf(error);
    front.socket.uncork();
    if (launched.launcher === undefined) return reply(front, { kind: 'said', text, status });
    launched.launcher.say(text);
    launched.launcher.finish(status);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Milliseconds. The front gives up after five seconds of silence. */
const heartbeatMs = 1000;

/** Options of `run` that need this terminal, another backend, phantoms of a file, or a person who keeps reading. */
const alone = ['help', 'staged', 'into', 'show', 'phantoms', 'strict'] as const;

function isForNode({ values, rest }: CommandInput): boolean {
  return (
    rest === undefined ||
    rest.length === 0 ||
    alone.some((name) => values[name] !== undefined) ||
    (values['backend'] ?? 'native') !== 'native'
  );
}

interface Adoption {
  /** Lines for the person's stderr before the box begins. */
  readonly words: string[];
  readonly spares: SpareParts;
  readonly adopt: () => FrontLauncher;
}

async function runAdopted(
  front: FrontProcess,
  { input, profile }: AgentRun,
  { words, spares, adopt }: Adoption,
): Promise<void> {
  checkSandboxOptions(input);
  const session = await openSession({
    ...sessionOptions(input, profile),
    membership: `/proc/${front.pid}/cgroup`,
    spares,
    whenStrict: 'starts-nothing',
  });
  try {
    if (needsNode(session, front, input)) return reply(front, { kind: 'cold' });
    await sayBefore(session, input);
    const plan = planBox(session, await admitCommand(session, { argv: input.rest ?? [] }));
    await sayGaps(session, input.io);
    if (front.socket.destroyed) return;
    // Sends the reply and the plan in one piece, because the front would wake up for each.
    front.socket.cork();
    const launcher = adopt();
    front.fail = (cause) => fail(launcher, cause);
    words.length = 0;
    const running = startBox(session, plan, {
      stdio: ['inherit', 'inherit', 'inherit'],
      stderr: front.request.terminals.stderr ? 'terminal' : 'tail',
      adopted: launcher,
    });
    const ended = await running.ended;
    await reportEnding(ended, { ...input.io, stderr: { write: (text) => launcher.say(text) } });
    launcher.finish(ended.exitCode);
  } finally {
    await endSession(session);
  }
}

/**
 * Returns whether only a process at the person's terminal can do the run. Someone may have to be asked there, or the
 * box needs another backend. A policy without questions does not contain the word. A policy that contains it goes to
 * Node, even if the word means something else.
 */
function needsNode(session: Session, { request }: FrontProcess, input: CommandInput): boolean {
  const { resident, manner } = session.plan;
  if (session.backend.name !== 'native' || resident === 'never' || manner === 'strict') return true;
  const mayAsk = session.place.sources.some(({ text }) => /ask|\\u/iu.test(text));
  const atTerminal = request.terminals.stderr && ownTerminal(input, 'terminal') === 'ours';
  if (mayAsk && (atTerminal || session.plan.commands === 'judged')) return true;
  return atTerminal && withheldNow(session).length > 0;
}

function adopt(front: FrontProcess, words: readonly string[]): FrontLauncher {
  const launcher = new FrontLauncher(front.pid, front.socket, takeDescriptor);
  reply(front, { kind: 'box', text: words.join('') });
  return launcher;
}

/** The last message to the front, unless a box follows. */
function reply({ socket }: FrontProcess, answer: FrontReply): void {
  if (answer.kind === 'box') socket.write(encodeFrontReply(answer));
  else socket.end(encodeFrontReply(answer));
}

/** The box ends with its control stream. Later errors belong to a run that is over. */
function fail(launcher: FrontLauncher, cause: unknown): void {
  launcher.say(`${safeText(describeError(cause))}\n`);
  launcher.finish(exitStatusOf(cause));
  launcher.kill('SIGKILL');
}

/** Cleans up, because this process does not exit after the run. */
async function endSession(session: Session): Promise<void> {
  session.approvals.close();
  await session.threads?.close();
  await session.network.close();
  session.credentials?.close();
}

function ioOf({ request }: FrontProcess, words: string[]): CommandIo {
  return {
    stdout: {
      write: () => {
        throw new HoldfastError('HF_INTERNAL', 'a run has something to print', {
          remedy: 'Report this as a defect of Holdfast.',
        });
      },
    },
    stderr: { write: (text) => words.push(text) },
    cwd: request.cwd,
    environment: request.environment,
  };
}
