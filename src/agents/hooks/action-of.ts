import type { PolicyRequest } from '../../policy/index.ts';
import { few, invalidCall } from './failure.ts';
import { fixedPart } from './fixed-part.ts';
import { stringOf, textsOf } from './json.ts';
import { patchRequests } from './patch-requests.ts';
import { homely, reads, readingsOf, searches, writes } from './path-requests.ts';
import type { HookCall, McpName, ToolAction, ToolRow, ToolTable } from './types.ts';
import { urlRequests } from './url-requests.ts';

/**
 * What a tool is about to do.
 *
 * @throws HoldfastError `HF_HOOK_INVALID` for an input that the tool's row does not know.
 */
export function actionOf({ rows, mcp }: ToolTable, call: HookCall): ToolAction {
  const row = Object.hasOwn(rows, call.tool) ? rows[call.tool] : undefined;
  if (row === undefined) return unlisted(call.mcp === undefined ? mcpNames(mcp, call.tool) : [call.mcp], call);
  if (row.kind === 'inert') return { kind: 'inert' };
  if (row.kind === 'refused') return { kind: 'refused', reason: row.reason };
  checkMembers(row, call);
  return known(row, call);
}

function unlisted(names: readonly McpName[], { input }: HookCall): ToolAction {
  if (names.length === 0) return { kind: 'refused', reason: 'Holdfast does not know this tool, and cannot say what it would do' };
  const given = JSON.stringify(input);
  return { kind: 'mcp', requests: names.map(({ server, tool }) => ({ kind: 'tool', server, tool, arguments: given })) };
}

/** Attack: a server, or a tool, in whose name stands what is between the two, so that no rule seems to be about it. */
function mcpNames(mcp: ToolTable['mcp'], name: string): readonly McpName[] {
  if (mcp === undefined || !name.startsWith(mcp.start)) return [];
  const parts = name.slice(mcp.start.length).split(mcp.between);
  const names = few(parts).map((_, index) => ({ server: parts.slice(0, index).join(mcp.between), tool: parts.slice(index).join(mcp.between) }));
  return names.filter(({ server, tool }) => server !== '' && tool !== '');
}

type KnownRow = Extract<ToolRow, { readonly members: string }>;

function checkMembers({ members }: KnownRow, { tool, input }: HookCall): void {
  const listed = members.split(' ');
  const unknown = Object.keys(input).find((member) => !listed.includes(member));
  if (unknown !== undefined) throw invalidCall(`${tool} has ${JSON.stringify(unknown)}, which Holdfast does not know`);
}

function known(row: KnownRow, call: HookCall): ToolAction {
  switch (row.kind) {
    case 'command':
      return { kind: 'command', text: stringOf(call.input, row.member), member: row.member };
    case 'files':
      return { kind: 'access', requests: fileRequests(row, call) };
    case 'urls':
      return { kind: 'access', requests: once(urlRequests(row, call)) };
    case 'patch':
      return { kind: 'access', requests: once(patchRequests(stringOf(call.input, row.member), call.cwd)) };
  }
}

const operations = { read: reads, write: writes, tree: searches } as const;

function fileRequests(row: Extract<ToolRow, { readonly kind: 'files' }>, call: HookCall): readonly PolicyRequest[] {
  const [given, ...others] = row.paths === '' ? [] : textsOf(call.input, row.paths);
  if (others.length > 0 || (given === undefined && row.use !== 'tree')) throw invalidCall(`${call.tool} has no ${row.paths}, or more than one`);
  const paths = readingsOf(homely(given ?? '.'), call.cwd);
  const below = few(textsOf(call.input, row.patterns ?? '')).flatMap((pattern) => paths.flatMap((path) => readingsOf(homely(fixedPart(pattern)), path)));
  return once(few([...paths, ...below]).flatMap(operations[row.use]));
}

function once(requests: readonly PolicyRequest[]): readonly PolicyRequest[] {
  return [...new Map(requests.map((each) => [JSON.stringify(each), each])).values()];
}
