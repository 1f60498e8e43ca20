import process from 'node:process';
import type { AgentRun } from './agent-run.ts';
import type * as FullGuarantees from './full-guarantees.ts';
import type * as RunLines from './run-lines.ts';
import { HoldfastError } from '../errors/index.ts';
import { startBox, type EndedBox } from '../session/running-box.ts';
import { gapsOf } from '../session/session-options.ts';
import { admitCommand, openSession, planBox, type Session } from '../session/session.ts';
import type { Reader } from '../session/shown-output.ts';
import { withheldNow } from '../session/withheld-now.ts';
import type { StagedChoice } from '../staged/session/staging.ts';
import { ownTerminal } from './approvals/own-terminal.ts';
import { boxOptions, sessionOptions } from './box-options.ts';
import {
  askedGuest,
  type Command,
  type CommandInput,
  type CommandIo,
  isSet,
  recoveredLine,
  safeText,
  optionText,
} from './command.ts';
import { stderrIsTerminal, wantsResident } from './front/own-name.ts';
import { servedFront, type ServedFront } from './front/served-front.ts';
import { keepGarbageSmall } from './small-garbage.ts';

export const runCommand: Command = {
  name: 'run',
  usage: async () => (await import('./run-usage.ts')).runUsage,
  options: {
    ...boxOptions,
    staged: { type: 'boolean' },
    into: { type: 'string' },
    show: { type: 'string' },
    'no-prompt': { type: 'boolean' },
    phantoms: { type: 'string' },
    sandbox: { type: 'boolean' },
    'no-sandbox-strict': { type: 'boolean' },
  },
  positionals: 'program',
  run: runInBox,
};

async function runInBox(given: CommandInput): Promise<number> {
  const front = servedFront();
  const { input, profile } = await withAgent(given);
  const argv = input.rest ?? [];
  if (argv.length === 0)
    throw new HoldfastError('HF_USAGE', 'there is no command to run', {
      remedy: 'write it after `--`, as in `holdfast run -- npm test`',
    });
  const guest = askedGuest(input);
  if (guest !== undefined) {
    front?.leaveToNode();
    return (await import('./delegate.ts')).runInGuest(input, guest);
  }
  (await fullGuarantees(input))?.checkSandboxOptions(input);
  const staged = stagedChoice(input);
  const asked = await readerOf(input);
  const phantoms = optionText(input.values['phantoms']);
  const session = await openSession({
    ...sessionOptions(input, profile),
    ...(phantoms === undefined ? {} : { phantoms }),
    terminal: ownTerminal(input),
    whenStrict: 'carries-out',
    ...(staged === undefined ? {} : { staged }),
  });
  const show = asked ?? (session.plan.manner === 'strict' ? 'person' : undefined);
  if (front !== undefined && !isAdoptable(session, show)) front.leaveToNode();
  try {
    await sayBefore(session, input);
    return await runInSession(session, { argv, show, front }, input.io);
  } finally {
    session.approvals.close();
    if (session.staging !== undefined) input.io.stderr.write((await lines()).stagedText(await session.staging.close()));
  }
}

/** Lazy, because most runs are of no known agent. */
export async function withAgent(input: CommandInput): Promise<AgentRun> {
  return input.positionals.length > 0 || input.values['profile'] !== undefined
    ? (await import('./agent-run.ts')).agentRun(input)
    : { input, profile: {} };
}

/** Lazy, because most runs request only the guarantees of their policy. */
async function fullGuarantees({ values }: CommandInput): Promise<typeof FullGuarantees | undefined> {
  return isSet(values['sandbox']) || isSet(values['no-sandbox-strict']) ? import('./full-guarantees.ts') : undefined;
}

/** Returns whether a process that is no child of this one can be the launcher. */
function isAdoptable(session: Session, show: Reader | undefined): boolean {
  return session.backend.name === 'native' && session.staging === undefined && show === undefined;
}

/** Shows notices and asks questions before anything runs. */
export async function sayBefore(session: Session, input: CommandInput): Promise<void> {
  const { read, write, socket, env } = input.values;
  if (read || write || socket || env) (await lines()).refuseEmptyGrants(input, session.place);
  const missing = (await fullGuarantees(input))?.missingOfSandbox(input, session);
  if (missing !== undefined) input.io.stderr.write(`holdfast: ${missing}\n`);
  const withheld = withheldNow(session);
  if (withheld.length > 0) await (await import('./trust/settle-trust.ts')).settleTrust(session, withheld, input);
  for (const each of session.staging?.recovered ?? []) input.io.stderr.write(recoveredLine(each));
  if (Object.keys(session.plan.environment.named).length > 0)
    input.io.stderr.write((await lines()).environmentText(session));
  const copies = session.copies();
  if (copies.length > 0) input.io.stderr.write((await lines()).copiesText(copies));
  for (const each of session.credentials?.notices ?? []) input.io.stderr.write(safeText(`holdfast: ${each}\n`));
}

/** Most runs say nothing. */
const lines = (): Promise<typeof RunLines> => import('./run-lines.ts');

function stagedChoice({ values }: CommandInput): StagedChoice | undefined {
  const into = optionText(values['into']);
  if (into !== undefined) return { into };
  return isSet(values['staged']) ? 'new' : undefined;
}

interface Run {
  readonly argv: readonly string[];
  readonly show: Reader | undefined;
  readonly front?: ServedFront | undefined;
}

export async function runInSession(session: Session, { argv, show, front }: Run, io: CommandIo): Promise<number> {
  // A signal during a question ends the wait for its answer.
  const signals = catchSignals(() => session.approvals.close());
  const plan = planBox(session, await admitCommand(session, { argv }));
  await sayGaps(session, io);
  const isStrict = session.plan.manner === 'strict';
  const streams =
    show === undefined
      ? undefined
      : (await import('../session/shown-output.ts')).shownStreams(show, isStrict ? mostStrictOutput : undefined);
  // With terminal input, the command could also write to the terminal.
  const input = isStrict && process.stdin.isTTY ? 'pipe' : 'inherit';
  const adopted = front?.adopt(
    plan.network.kind === 'closed' ? undefined : (await import('../kernel/take-descriptor.ts')).takeDescriptor,
  );
  // The command can open the terminal as /dev/tty, even with other streams.
  session.approvals.giveTerminalAway();
  const running = startBox(session, plan, {
    stdio: [input, ...(streams?.descriptors ?? ownStreams)],
    stderr: show === undefined && stderrIsTerminal() ? 'terminal' : 'tail',
    ...(isStrict ? { terminal: 'none' } : {}),
    adopted,
  });
  if (input === 'pipe') void lines().then(({ typeInto }) => typeInto(running.box.process.stdin));
  keepGarbageSmall();
  if (session.plan.resident === 'auto' && wantsResident())
    void import('./resident/start-resident.ts').then(({ spawnResident: startResident }) =>
      startResident(session.place.paths.runtime, session.environment),
    );
  signals.deliverTo((signal) => running.box.process.kill(signal));
  // The launcher has then taken the front's place, and gets signals itself.
  if (front !== undefined) setTimeout(() => signals.deliverTo(() => undefined), frontsPatience).unref();
  const shown =
    streams === undefined || show === undefined
      ? undefined
      : lines().then(({ showOutput }) => showOutput(streams, { session, argv, show }, io));
  // Awaited after the command has ended; it may fail before.
  shown?.catch(() => undefined);
  const ended = await running.ended.finally(() => signals.release());
  if (input === 'pipe') process.stdin.destroy();
  await shown;
  await reportEnding(ended, io);
  return ended.exitCode;
}

/** A refused command holds nothing, so it has no gaps. */
export async function sayGaps(session: Session, io: CommandIo): Promise<void> {
  const gaps = gapsOf(session);
  if (gaps.length > 0)
    io.stderr.write(
      `holdfast: the ${session.backend.name} backend enforces only in part: ${gaps.join(', ')} (see docs/guarantees.md)\n`,
    );
  if (session.backend.name === 'landlock' && session.place.uid === 0)
    io.stderr.write((await lines()).ownerText(session.place.workspace.root));
}

/** Bytes of each of stdout and stderr. No person reads more. */
const mostStrictOutput = 64 * 1024 * 1024;

/** Milliseconds. */
const frontsPatience = 50;

/** Without `--show`, the command has the streams themselves: they may be a terminal, or carry binary data. */
const ownStreams = ['inherit', 'inherit'] as const;

async function readerOf({ values }: CommandInput): Promise<Reader | undefined> {
  const show = optionText(values['show']);
  if (show === undefined || show === 'model' || show === 'person') return show;
  throw (await lines()).noSuchReader(show);
}

/** Signals whose default action ends a program. */
const endings: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

interface CaughtSignals {
  /** Passes on the signals caught so far, and all later ones. */
  deliverTo(send: (signal: NodeJS.Signals) => unknown): void;
  release(): void;
}

/**
 * Catches signals before the box starts. Otherwise a signal in between would end the supervisor and not reach the
 * command.
 */
function catchSignals(giveUp: () => void): CaughtSignals {
  const early: NodeJS.Signals[] = [];
  let deliver = (signal: NodeJS.Signals): unknown => {
    if (endings.has(signal)) giveUp();
    return early.push(signal);
  };
  const listen = (signal: NodeJS.Signals): unknown => deliver(signal);
  for (const signal of forwarded) process.on(signal, listen);
  return {
    deliverTo(send) {
      deliver = send;
      for (const signal of early.splice(0)) send(signal);
    },
    release() {
      for (const signal of forwarded) process.off(signal, listen);
    },
  };
}

export async function reportEnding(ended: EndedBox, io: CommandIo): Promise<void> {
  if (ended.refusals.length + ended.quarantined.length + ended.noticed.length > 0)
    io.stderr.write(await (await lines()).aftermathText(ended));
  if (ended.ending === 'timed-out') io.stderr.write('holdfast: the time limit ended the command\n');
}
