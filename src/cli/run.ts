import process from 'node:process';
import { isatty } from 'node:tty';
import { HoldfastError } from '../errors/index.ts';
import { openSession, planCommand, startBox, type EndedBox, type Session } from '../sandbox/session.ts';
import type { StagedChoice, StagedSummary } from '../sandbox/staged/staging.ts';
import { boxOptions, boxOptionsUsage, sessionOptions } from './box-options.ts';
import { isSet, text, type Command, type CommandInput, type CommandIo } from './command.ts';
import { recoveredLine } from './recovered-line.ts';
import { safeText } from './safe-text.ts';

const usage = `usage: holdfast run [OPTIONS] -- COMMAND [ARGUMENT...]

Runs COMMAND inside the box: the workspace is writable, the rest of the system is read-only, the home directory is
mostly hidden, the environment is an allow-list and of the network only what the policy names can be reached. Exits with COMMAND's status (128+n when
signal n ended it), 126 or 127 when it cannot be started, 125 when the box cannot be built.

  --staged            keep every write in a layer of its own, for \`holdfast review\`
  --into ID           keep them in the layer ID, on top of what is in it
${boxOptionsUsage}`;

export const runCommand: Command = {
  name: 'run',
  summary: 'run a command inside the box',
  usage,
  options: { ...boxOptions, staged: { type: 'boolean' }, into: { type: 'string' } },
  positionals: 'none',
  run: runInBox,
};

async function runInBox(input: CommandInput): Promise<number> {
  const argv = input.rest ?? [];
  if (argv.length === 0) throw new HoldfastError('HF_USAGE', 'there is no command to run', { remedy: 'write it after `--`, as in `holdfast run -- npm test`' });
  const staged = stagedChoice(input);
  const session = await openSession({ ...sessionOptions(input), ...(staged === undefined ? {} : { staged }) });
  for (const each of session.staging?.recovered ?? []) input.io.stderr.write(recoveredLine(each));
  try {
    return await runInSession(session, argv, input.io);
  } finally {
    if (session.staging !== undefined) reportStaged(await session.staging.close(), input.io);
  }
}

function stagedChoice({ values }: CommandInput): StagedChoice | undefined {
  const into = text(values['into']);
  if (into !== undefined) return { into };
  return isSet(values['staged']) ? 'new' : undefined;
}

async function runInSession(session: Session, argv: readonly string[], io: CommandIo): Promise<number> {
  const signals = catchSignals();
  const running = startBox(session, planCommand(session, { argv }), { stdio: ['inherit', 'inherit', 'inherit'], stderr: isatty(2) ? 'terminal' : 'tail' });
  signals.deliverTo((signal) => running.box.process.kill(signal));
  const ended = await running.ended.finally(() => signals.release());
  await report(ended, io);
  return ended.exitCode;
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

interface CaughtSignals {
  /** Hands over what was caught so far and everything after. */
  deliverTo(send: (signal: NodeJS.Signals) => unknown): void;
  release(): void;
}

/** Caught before the box starts: a signal in between would end the supervisor and not reach the command. */
function catchSignals(): CaughtSignals {
  const early: NodeJS.Signals[] = [];
  let deliver: (signal: NodeJS.Signals) => unknown = (signal) => early.push(signal);
  const listen = (signal: NodeJS.Signals): unknown => deliver(signal);
  for (const signal of forwarded) process.on(signal, listen);
  return {
    deliverTo(send) {
      deliver = send;
      for (const signal of early) send(signal);
    },
    release() {
      for (const signal of forwarded) process.off(signal, listen);
    },
  };
}

function reportStaged({ id, changed, layer, disk, foreign }: StagedSummary, io: CommandIo): void {
  if (disk === 'full') io.stderr.write('holdfast: the disk that holds the staged layer is full: what the command wrote last may be missing\n');
  for (const root of foreign) io.stderr.write(`${safeText(`holdfast: ${root} belongs to another user or group: what of it does so can be read but not changed while staged (EOVERFLOW)`)}\n`);
  if (layer === 'removed') io.stderr.write('holdfast: nothing was changed\n');
  else io.stderr.write(`holdfast: ${changed} ${changed === 1 ? 'path' : 'paths'} changed, nothing of it on the host yet: holdfast review ${id}\n`);
}

async function report(ended: EndedBox, io: CommandIo): Promise<void> {
  const { refusalLine } = ended.refusals.length > 0 ? await import('../sandbox/refusals/describe.ts') : { refusalLine: String };
  for (const refusal of ended.refusals) io.stderr.write(`${refusalLine(refusal)}\n`);
  for (const item of ended.quarantined) io.stderr.write(`${safeText(`holdfast: moved ${item.path} to ${item.movedTo}, because ${item.reason}`)}\n`);
  if (ended.ending === 'timed-out') io.stderr.write('holdfast: the time limit ended the command\n');
}
