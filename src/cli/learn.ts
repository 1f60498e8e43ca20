import { accessSync, constants, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { observationsOf } from '../agents/learn/observe.ts';
import { learnFrom, type Learned, type NetworkWhileLearning, recordingSession } from '../agents/learn/recording.ts';
import { type JournalEvent, listenToJournal } from '../audit/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { openSession } from '../session/session.ts';
import { escapeHidden } from '../text/escape-hidden.ts';
import { boxOptions } from './box-options.ts';
import { boxOptionsUsage } from './run-usage.ts';
import { type Command, type CommandInput, isSet, jsonText, optionText, optionTexts } from './command.ts';
import { runInSession } from './run.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast learn [OPTIONS] -- COMMAND [ARGUMENT...]

Runs COMMAND once in a box and prints the policy that it needs beyond the current one: a line for each path and host,
with the number of uses. The box can read the home directory, and Holdfast discards everything that COMMAND writes.
It never proposes access that a rule denies, and lists such access on stderr. Exits with the status of COMMAND.

  --network refuse|record  record hosts and connect to none (default), or also connect to public hosts
  --look PATH         also let COMMAND read PATH during the recording  (repeatable)
  --output FILE       write the policy to a new file
  --json              print the policy and the withheld access as JSON
${boxOptionsUsage}`;

export const learnCommand: Command = {
  name: 'learn',
  usage,
  options: {
    ...boxOptions,
    network: { type: 'string' },
    look: { type: 'string', multiple: true },
    output: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'none',
  run: learn,
};

async function learn(input: CommandInput): Promise<number> {
  const argv = input.rest ?? [];
  if (argv.length === 0)
    throw new HoldfastError('HF_USAGE', 'there is no command to run', {
      remedy: 'write it after `--`, as in `holdfast learn -- npm test`',
    });
  const output = optionText(input.values['output']);
  if (output !== undefined) refuseUnwritable(resolve(input.io.cwd, output));
  const options = profiledSession(input);
  const look = optionTexts(input.values['look']).map((path) => existingPath(resolve(input.io.cwd, path)));
  const session = await openSession(
    recordingSession(options, { network: networkOf(optionText(input.values['network'])), look }),
  );
  const events: JournalEvent[] = [];
  const leave = listenToJournal(session.place.paths.journal, (kept) => {
    for (const event of kept) if ('session' in event && event.session === session.id) events.push(event);
  });
  try {
    const status = await runInSession(session, { argv, show: undefined }, input.io);
    print(learnFrom(observationsOf(events), options), input);
    return status;
  } finally {
    leave();
    session.approvals.close();
  }
}

function existingPath(path: string): string {
  if (existsSync(path)) return path;
  throw new HoldfastError('HF_USAGE', `--look names ${JSON.stringify(path)}, which does not exist`, {
    remedy: 'name an existing file or directory',
  });
}

function networkOf(value = 'refuse'): NetworkWhileLearning {
  if (value === 'refuse' || value === 'record') return value;
  throw new HoldfastError('HF_USAGE', `expected refuse or record after --network, got ${JSON.stringify(value)}`, {
    remedy: 'use --network record',
  });
}

function print(learned: Learned, { values, io }: CommandInput): void {
  const output = optionText(values['output']);
  if (output !== undefined) writeNew(resolve(io.cwd, output), learned.policy);
  if (isSet(values['json'])) io.stdout.write(jsonText(learned));
  else if (output === undefined) io.stdout.write(learned.policy);
  if (learned.lines === 0) io.stderr.write('holdfast: the run needs no grants beyond the current policy\n');
  // Attack: a name with a line break, followed by a line that looks like one of ours.
  for (const { what, why } of learned.withheld)
    io.stderr.write(`holdfast: wanted, not proposed: ${escapeHidden(`${what}: ${why}`)}\n`);
}

/** Runs before the command, whose findings could not be kept otherwise. */
function refuseUnwritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  } catch (cause) {
    throw unwritable(path, cause);
  }
  throw unwritable(path, { code: 'EEXIST' });
}

function writeNew(path: string, policy: string): void {
  try {
    writeFileSync(path, policy, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): HoldfastError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  return new HoldfastError(
    'HF_USAGE',
    code === 'EEXIST' ? `${path} already exists` : `${path} cannot be written: ${code}`,
    { remedy: 'name a new file in a directory that you can write to', cause },
  );
}
