import type { ListedCommand, ListedSession } from '../../serve/index.ts';
import { isSet, type Command } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../listing.ts';
import { serverOf } from './server-of.ts';

const usage = `usage: holdfast ps [--json]

Lists the sessions of the server, and its commands: those that wait, run, or have ended and can still be read.

  --json              the same as JSON`;

export const psCommand: Command = {
  name: 'ps',
  summary: 'list the sessions and commands of the server',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const server = await serverOf(input);
    const all = await server.call({ kind: 'ps' }).result;
    input.io.stdout.write(isSet(input.values['json']) ? jsonText(all) : `${table(all)}${all.leftOut === 0 ? '' : `and ${all.leftOut} more commands\n`}`);
    return 0;
  },
};

function table({ sessions, commands }: { readonly sessions: readonly ListedSession[]; readonly commands: readonly ListedCommand[] }): string {
  if (sessions.length === 0 && commands.length === 0) return 'no sessions\n';
  const named = sessions.map(({ name, workspace, layer }) => [name, oneLine(workspace), layer === undefined ? 'live' : `staged in ${layer}`]);
  const listed = commands.map((command) => [command.id, command.session, stateOf(command), oneLine(command.argv.join(' '))]);
  return [columns([['SESSION', 'WORKSPACE', 'WRITES'], ...named]), ...(listed.length === 0 ? [] : [columns([['ID', 'SESSION', 'STATE', 'COMMAND'], ...listed])])].join('\n');
}

function stateOf({ state, exitCode, attached }: ListedCommand): string {
  if (state === 'ended') return `ended ${exitCode ?? ''}`.trimEnd();
  return state === 'running' && attached > 0 ? 'attached' : state;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()}\n`).join('');
}
