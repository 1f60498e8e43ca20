import { appendEvents } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import {
  type Definition,
  isSeenMark,
  isWithdrawn,
  readPins,
  removePins,
  type ServerPins,
} from '../../trust/pins/pins.ts';
import { kindOfPin } from '../../mcp/said.ts';
import { type CommandInput, isSet, jsonText, printResult } from '../command.ts';
import { listedName } from '../listing.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { trustPlace } from '../trust/workspace-trust.ts';

/** `holdfast mcp pins list | remove`: the approved definitions of wrapped servers. */
export function pinsCommand(input: CommandInput, [verb = '', server, ...tools]: readonly string[]): number {
  if (verb === 'list' && tools.length === 0) return list(input, server);
  if (verb === 'remove' && server !== undefined) return remove(input, server, tools);
  throw new HoldfastError(
    'HF_USAGE',
    'expected `holdfast mcp pins list [SERVER]` or `holdfast mcp pins remove SERVER [TOOL…]`',
    { remedy: 'see `holdfast mcp --help`' },
  );
}

function list(input: CommandInput, server: string | undefined): number {
  const all = readPins(trustPlace(input).paths.mcp);
  const damaged = all.damaged
    .filter(({ of }) => server === undefined || of(server))
    .map(({ path, error }) => ({ path, why: error.message }));
  const found = all.servers
    .filter((each) => server === undefined || each.server === server)
    .map((each) => ({ ...each, definitions: each.definitions.filter((definition) => !isSeenMark(definition)) }))
    .filter(({ definitions }) => definitions.length > 0)
    .toSorted((a, b) => (a.server < b.server ? -1 : 1));
  const servers = found.map((each) => ({
    server: each.server,
    tools: each.definitions.map(({ tool, sha256, text }) => ({
      tool,
      sha256,
      approved: !isWithdrawn({ tool, sha256, text }),
      text,
    })),
  }));
  const { io, values } = input;
  if (isSet(values['json'])) io.stdout.write(jsonText({ servers, damaged }));
  else if (found.length + damaged.length === 0) io.stdout.write(nothingApproved(server));
  else
    io.stdout.write(
      `${terminalTable(found.flatMap(pinsOf), columns, lookOf(io))}${damaged.map(({ why }) => `damaged  ${listedName(why)}\n`).join('')}`,
    );
  return damaged.length === 0 ? 0 : 1;
}

function nothingApproved(server: string | undefined): string {
  return `No approved tools${server === undefined ? '' : ' of such a server'}. Wrap a server: holdfast mcp wrap -- COMMAND\n`;
}

/** The newest definition of a tool. */
interface Pin {
  readonly server: string;
  readonly newest: Definition;
  /** The number of earlier definitions, in words. */
  readonly earlier: string;
}

function pinsOf({ server, definitions }: ServerPins): readonly Pin[] {
  const newest = new Map(definitions.map((each) => [each.tool, each]));
  return [...newest.values()].map((each) => ({ server, newest: each, earlier: earlier(definitions, each) }));
}

const columns: readonly TableColumn<Pin>[] = [
  { head: 'SERVER', of: ({ server }) => server },
  {
    head: 'SHA256',
    of: ({ newest }) => (isWithdrawn(newest) ? 'withdrawn' : newest.sha256.slice(0, shownHash)),
    tone: ({ newest }) => (isWithdrawn(newest) ? 'refused' : 'plain'),
    least: 12,
  },
  { head: 'TOOL', of: ({ newest, earlier: others }) => `${listedName(newest.tool)}${others}`, cut: 'end' },
];

const shownHash = 12;

function earlier(definitions: readonly Definition[], { tool, sha256 }: Definition): string {
  const others = definitions.filter(
    (each) => each.tool === tool && each.sha256 !== sha256 && !isWithdrawn(each),
  ).length;
  return others === 0 ? '' : `  and ${others} that ${others === 1 ? 'was' : 'were'} approved before`;
}

function remove(input: CommandInput, server: string, tools: readonly string[]): number {
  const { root, paths } = trustPlace(input);
  const gone = removePins(paths.mcp, {
    server,
    ...(tools.length === 0 ? {} : { tools }),
    journal: (all) =>
      appendEvents(paths.journal, [
        {
          type: 'trust.decided',
          workspace: root,
          action: 'revoke',
          files: all.map(({ tool, sha256 }) => ({
            path: `${server}/${tool}`,
            sha256,
            surface: `mcp-${kindOfPin(tool)}`,
          })),
        },
      ]),
  });
  const removed = gone.map(({ tool, sha256 }) => ({ tool, sha256 }));
  printResult(
    input,
    { server, removed },
    `${removed.map(({ tool, sha256 }) => `removed ${sha256.slice(0, 12)}  ${listedName(tool)}\n`).join('')}${outcome(gone, { server, tools })}\n`,
  );
  return gone.length === 0 ? 1 : 0;
}

interface Removal {
  readonly server: string;
  readonly tools: readonly string[];
}

function outcome(gone: readonly Definition[], { server, tools }: Removal): string {
  if (gone.length === 0)
    return tools.length === 0
      ? `${server} has no approved tools; see \`holdfast mcp pins list\``
      : `none of these tools of ${server} was approved; see \`holdfast mcp pins list\``;
  return tools.length === 0
    ? 'its next run counts as its first; a running server keeps its approvals until its tools are listed again'
    : 'Holdfast asks about their next definitions; a running server keeps these approvals until its tools are listed again';
}
