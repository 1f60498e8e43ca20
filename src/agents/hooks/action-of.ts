import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { FileOperation, PolicyRequest } from '../../policy/index.ts';
import { parsePatch } from '../mcp/patch/parse-patch.ts';
import { invalidCall } from './failure.ts';
import { stringOf, textsOf } from './json.ts';
import { exists, realPath } from './real-path.ts';
import type { HookCall, ToolAction, ToolRow, ToolTable } from './types.ts';

/**
 * What a tool is about to do.
 *
 * @throws HoldfastError `HF_HOOK_INVALID` for an input that the tool's row does not know.
 */
export function actionOf({ rows, mcp }: ToolTable, call: HookCall): ToolAction {
  const row = Object.hasOwn(rows, call.tool) ? rows[call.tool] : undefined;
  const { server, tool } = mcp.exec(call.tool)?.groups ?? {};
  if (row === undefined && server !== undefined && tool !== undefined) return { kind: 'mcp', request: { kind: 'tool', server, tool, arguments: JSON.stringify(call.input) } };
  if (row === undefined) return { kind: 'refused', reason: 'Holdfast does not know this tool, and cannot say what it would do' };
  if (row.kind === 'inert') return { kind: 'inert' };
  if (row.kind === 'refused') return { kind: 'refused', reason: row.reason };
  checkMembers(row, call);
  return known(row, call);
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
      return { kind: 'access', requests: patchRequests(stringOf(call.input, row.member), call.cwd) };
  }
}

function fileRequests(row: Extract<ToolRow, { readonly kind: 'files' }>, call: HookCall): readonly PolicyRequest[] {
  const given = row.paths === '' ? [] : few(textsOf(call.input, row.paths));
  if (given.length === 0 && row.use !== 'tree') throw invalidCall(`${call.tool} has no ${row.paths}`);
  const directory = resolve(call.cwd, homely(given[0] ?? '.'));
  if (row.use !== 'tree') return row.use === 'read' ? [request('read', directory)] : writes(directory);
  const below = few(textsOf(call.input, row.patterns ?? '')).map((pattern) => resolve(directory, homely(fixedPart(pattern))));
  return [directory, ...below].flatMap(tree);
}

/** Of one call. Attack: the server is held up by one with so many that all others wait, and by a pattern that is looked through again from each of its characters. */
const most = { paths: 1000, pattern: 4096 };

function few<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= most.paths) return items;
  throw invalidCall(`a call names more than ${most.paths} paths or hosts`);
}

/** Up to the first directory that is no plain name: what is read lies below it. `..` behind a wildcard leads anywhere. */
function fixedPart(pattern: string): string {
  if (pattern.length > most.pattern) throw invalidCall(`a pattern has more than ${most.pattern} characters`);
  if (/[*?[{(!].*(?:^|[/{,])\.\.(?:$|[/},])/u.test(pattern)) throw invalidCall('a pattern goes up with .. behind a wildcard');
  const alternatives = /^[!{([]/u.test(pattern) && /[{,([|]\s*[~/]/u.test(pattern);
  if (alternatives) throw invalidCall('a pattern has absolute paths among its alternatives');
  const wild = pattern.search(/[*?[{(!]/u);
  return wild === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1) || '.';
}

/** A tree that holds the home directory shows it too. */
function tree(directory: string): readonly PolicyRequest[] {
  const home = homedir();
  const real = realPath(directory);
  const above = real === '/' || home.startsWith(`${real}/`);
  return [request('read', directory), ...(above ? [request('read', home)] : [])];
}

function writes(path: string): readonly PolicyRequest[] {
  return [request(exists(path) ? 'write' : 'create', path)];
}

function homely(path: string): string {
  return path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path;
}

/** A link is followed, because the agent will follow it. */
function request(operation: FileOperation, path: string): PolicyRequest {
  return { kind: 'file', operation, path: realPath(path) };
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

function patchRequests(text: string, cwd: string): readonly PolicyRequest[] {
  return few(parsePatch(text)).flatMap((change) => {
    const path = resolve(cwd, change.path);
    switch (change.kind) {
      case 'add':
        return writes(path);
      case 'delete':
        return [remove(path)];
      case 'update':
        return change.moveTo === undefined ? writes(path) : [remove(path), ...writes(resolve(cwd, change.moveTo))];
    }
  });
}

/** A link itself is removed, not what it leads to. */
function remove(path: string): PolicyRequest {
  return { kind: 'file', operation: 'delete', path: resolve(realPath(dirname(path)), path.slice(path.lastIndexOf('/') + 1)) };
}
