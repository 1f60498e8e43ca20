import { isHoldfastError } from '../../errors/index.ts';
import type { Results } from '../../serve/requests/index.ts';
import type { ListedCommand } from '../../serve/server/served-command.ts';
import type { ListedSession } from '../../serve/server/served-sessions.ts';
import type { SignTone } from '../../text/signs.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { listedName } from '../listing.ts';
import { describeResident, listResident } from '../resident/find-resident.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { serverOf } from './server-of.ts';

const usage = `usage: holdfast ps [--json]

Lists the sessions and commands of the server: waiting, running, and ended with readable output. It also lists the
resident supervisor, which serves the boxes of \`holdfast run\`, with its runs.

  --json              print JSON`;

export const psCommand: Command = {
  name: 'ps',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const resident = await listResident(input.io);
    const all = await listServer(input, resident);
    const look = lookOf(input.io);
    if (isSet(input.values['json']))
      input.io.stdout.write(
        jsonText({
          ...all,
          ...(resident === undefined ? {} : { resident: { ...resident.server, runs: resident.runs } }),
        }),
      );
    else
      input.io.stdout.write(
        [
          ...(all === undefined ? [] : [serverText(all, look)]),
          ...(resident === undefined ? [] : [residentText(resident, look)]),
        ].join('\n'),
      );
    return 0;
  },
};

type Listed = Results['ps'];

/** A supervisor alone is listed too. Throws `HF_SERVE_ABSENT` if there is neither. */
async function listServer(input: CommandInput, resident: Listed | undefined): Promise<Listed | undefined> {
  try {
    const server = await serverOf(input);
    return await server.call({ kind: 'ps' }).result;
  } catch (error) {
    if (resident !== undefined && isHoldfastError(error) && error.code === 'HF_SERVE_ABSENT') return undefined;
    throw error;
  }
}

function serverText(all: Listed, look: Look): string {
  return `${table(all, look)}${all.leftOut === 0 ? '' : `and ${all.leftOut} more commands\n`}`;
}

function residentText(resident: Listed, look: Look): string {
  const rows = terminalTable(resident.runs, runColumns, { ...look, heads: 'always' });
  return `${safeText(describeResident(resident))}\n${resident.runs.length === 0 ? '' : rows}`;
}

function table({ sessions, commands }: Pick<Listed, 'sessions' | 'commands'>, look: Look): string {
  if (sessions.length === 0 && commands.length === 0)
    return 'No sessions yet. Start a command on the server: holdfast exec NAME -- COMMAND\n';
  const always = { ...look, heads: 'always' } as const;
  return [
    terminalTable(sessions, sessionColumns, always),
    ...(commands.length === 0 ? [] : [terminalTable(commands, commandColumns, always)]),
  ].join('\n');
}

const sessionColumns: readonly TableColumn<ListedSession>[] = [
  { head: 'SESSION', of: ({ name }) => name },
  { head: 'WORKSPACE', of: ({ workspace }) => listedName(workspace), cut: 'start' },
  { head: 'WRITES', of: ({ layer }) => (layer === undefined ? 'live' : `staged in ${layer}`) },
];

const commandColumns: readonly TableColumn<ListedCommand>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'SESSION', of: ({ session }) => session },
  { head: 'STATE', of: stateOf, tone: toneOf },
  { head: 'COMMAND', of: ({ argv }) => listedName(argv.join(' ')), cut: 'end' },
];

const runColumns: readonly TableColumn<Listed['runs'][number]>[] = [
  { head: 'PID', of: ({ pid }) => String(pid) },
  { head: 'DIRECTORY', of: ({ cwd }) => listedName(cwd), cut: 'start' },
  { head: 'RUN', of: ({ words }) => listedName(words.join(' ')), cut: 'end' },
];

function stateOf({ state, exitCode, attached }: ListedCommand): string {
  if (state === 'ended') return `ended ${exitCode ?? ''}`.trimEnd();
  return state === 'running' && attached > 0 ? 'attached' : state;
}

function toneOf({ state, exitCode }: ListedCommand): SignTone {
  if (state === 'running') return 'live';
  return state === 'ended' && (exitCode ?? 0) !== 0 ? 'warning' : 'plain';
}
