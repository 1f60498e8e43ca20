import type { PolicyRequest } from '../../policy/index.ts';
import { few, invalidCall } from './failure.ts';
import { stringOf, textsOf } from './json.ts';
import { patchRequests } from './patch-requests.ts';
import { homely, reads, readingsOf, searches, writes } from './path-requests.ts';
import type { HookCall, McpName, ToolAction, ToolRow, ToolTable } from './types.ts';

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
      return { kind: 'access', requests: urlRequests(row.member, call) };
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

/** Characters. Attack: the server is held up by a pattern that is looked through again from each of its characters. */
const longestPattern = 4096;

/** Up to the first directory that is no plain name: what is read lies below it. `..` behind a wildcard leads anywhere. */
function fixedPart(pattern: string): string {
  if (pattern.length > longestPattern) throw invalidCall(`a pattern has more than ${longestPattern} characters`);
  if (/[*?[{(!].*(?:^|[/{,])\.\.(?:$|[/},])/u.test(pattern)) throw invalidCall('a pattern goes up with .. behind a wildcard');
  const alternatives = /^[!{([]/u.test(pattern) && /[{,([|]\s*[~/]/u.test(pattern);
  if (alternatives) throw invalidCall('a pattern has absolute paths among its alternatives');
  const wild = pattern.search(/[*?[{(!]/u);
  return wild === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1) || '.';
}

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function urlRequests(members: string, { input, tool }: HookCall): readonly PolicyRequest[] {
  const urls = members.split(' ').flatMap((member) => textsOf(input, member)).flatMap((text) => text.match(/[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>]+/giu) ?? []);
  if (urls.length === 0) throw invalidCall(`${tool} names no URL`);
  return few(urls).map((text) => {
    const url = URL.parse(text);
    const port = url?.port === '' ? ports[url.protocol] : Number(url?.port);
    if (url === null || port === undefined || ports[url.protocol] === undefined) throw invalidCall(`${tool} names a URL that is not of the web`);
    return { kind: 'connect', host: url.hostname.replace(/^\[|\]$/gu, ''), port, protocol: 'tcp' };
  });
}
