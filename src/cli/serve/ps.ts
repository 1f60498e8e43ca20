import { isHoldfastError } from '../../errors/index.ts';
import type { Results } from '../../serve/requests/index.ts';
import type { ListedCommand, ListedSession } from '../../serve/server/served-sessions.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { listedName } from '../listing.ts';
import { describeResident, listResident } from '../resident/find-resident.ts';
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
    if (isSet(input.values['json']))
      input.io.stdout.write(
        jsonText({
          ...all,
          ...(resident === undefined ? {} : { resident: { ...resident.server, runs: resident.runs } }),
        }),
      );
    else
      input.io.stdout.write(
        safeText(
          [
            ...(all === undefined ? [] : [serverText(all)]),
            ...(resident === undefined ? [] : [residentText(resident)]),
          ].join('\n'),
        ),
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

function serverText(all: Listed): string {
  return `${table(all)}${all.leftOut === 0 ? '' : `and ${all.leftOut} more commands\n`}`;
}

function residentText(resident: Listed): string {
  const rows = resident.runs.map(({ pid, words, cwd }) => [String(pid), listedName(cwd), listedName(words.join(' '))]);
  return `${describeResident(resident)}\n${rows.length === 0 ? '' : columns([['PID', 'DIRECTORY', 'RUN'], ...rows])}`;
}

function table({
  sessions,
  commands,
}: {
  readonly sessions: readonly ListedSession[];
  readonly commands: readonly ListedCommand[];
}): string {
  if (sessions.length === 0 && commands.length === 0) return 'no sessions\n';
  const named = sessions.map(({ name, workspace, layer }) => [
    name,
    listedName(workspace),
    layer === undefined ? 'live' : `staged in ${layer}`,
  ]);
  const listed = commands.map((command) => [
    command.id,
    command.session,
    stateOf(command),
    listedName(command.argv.join(' ')),
  ]);
  return [
    columns([['SESSION', 'WORKSPACE', 'WRITES'], ...named]),
    ...(listed.length === 0 ? [] : [columns([['ID', 'SESSION', 'STATE', 'COMMAND'], ...listed])]),
  ].join('\n');
}

function stateOf({ state, exitCode, attached }: ListedCommand): string {
  if (state === 'ended') return `ended ${exitCode ?? ''}`.trimEnd();
  return state === 'running' && attached > 0 ? 'attached' : state;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
