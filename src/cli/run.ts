import process from 'node:process';
import { isatty } from 'node:tty';
import { HoldfastError } from '../errors/index.ts';
import { openSession, planCommand, startBox, type EndedBox } from '../sandbox/session.ts';
import { boxOptions, boxOptionsUsage, sessionOptions } from './box-options.ts';
import type { Command, CommandInput, CommandIo } from './command.ts';
import { safeText } from './safe-text.ts';

const usage = `usage: holdfast run [OPTIONS] -- COMMAND [ARGUMENT...]

Runs COMMAND inside the box: the workspace is writable, the rest of the system is read-only, the home directory is
mostly hidden, the environment is an allow-list and of the network only what the policy names can be reached. Exits with COMMAND's status (128+n when
signal n ended it), 126 or 127 when it cannot be started, 125 when the box cannot be built.

${boxOptionsUsage}`;

export const runCommand: Command = {
  name: 'run',
  summary: 'run a command inside the box',
  usage,
  options: boxOptions,
  positionals: 'none',
  run: runInBox,
};

async function runInBox(input: CommandInput): Promise<number> {
  const argv = input.rest ?? [];
  if (argv.length === 0) throw new HoldfastError('HF_USAGE', 'there is no command to run', { remedy: 'write it after `--`, as in `holdfast run -- npm test`' });
  const session = await openSession(sessionOptions(input));
  const signals = catchSignals();
  const running = startBox(session, planCommand(session, { argv }), { stdio: ['inherit', 'inherit', 'inherit'], stderr: isatty(2) ? 'terminal' : 'tail' });
  signals.deliverTo((signal) => running.box.process.kill(signal));
  const ended = await running.ended.finally(() => signals.release());
  await report(ended, input.io);
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

async function report(ended: EndedBox, io: CommandIo): Promise<void> {
  const { refusalLine } = ended.refusals.length > 0 ? await import('../sandbox/refusals/describe.ts') : { refusalLine: String };
  for (const refusal of ended.refusals) io.stderr.write(`${refusalLine(refusal)}\n`);
  for (const item of ended.quarantined) io.stderr.write(`${safeText(`holdfast: moved ${item.path} to ${item.movedTo}, because ${item.reason}`)}\n`);
  if (ended.ending === 'timed-out') io.stderr.write('holdfast: the time limit ended the command\n');
}
