import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { FileAccess, PolicyRequest } from '../../policy/request.ts';
import { parsePatch } from '../mcp/patch/parse-patch.ts';
import { latin1Text } from '../mcp/patch/problems.ts';
import { few, invalidCall, stringOf, memberTexts } from './json.ts';
import { checkLength, exists, realPath } from './real-path.ts';
import type { HookCall, McpName, ToolAction, ToolRow, ToolTable } from './types.ts';

/**
 * Returns the action that a tool is about to take.
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
  if (names.length === 0) return { kind: 'refused', reason: 'Holdfast does not know this tool or its effects' };
  const given = JSON.stringify(input);
  return { kind: 'mcp', requests: names.map(({ server, tool }) => ({ kind: 'tool', server, tool, arguments: given })) };
}

/** Attack: a server or tool whose name contains the separator between the two, so that no rule seems to cover it. */
function mcpNames(mcp: ToolTable['mcp'], name: string): readonly McpName[] {
  if (mcp === undefined || !name.startsWith(mcp.start)) return [];
  const parts = name.slice(mcp.start.length).split(mcp.between);
  const names = few(parts).map((_, index) => ({
    server: parts.slice(0, index).join(mcp.between),
    tool: parts.slice(index).join(mcp.between),
  }));
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
  const [given, ...others] = row.paths === '' ? [] : memberTexts(call.input, row.paths);
  if (others.length > 0 || (given === undefined && row.use !== 'tree'))
    throw invalidCall(`${call.tool} has no ${row.paths}, or more than one`);
  const paths = readingsOf(homely(given ?? '.'), call.cwd);
  const below = few(memberTexts(call.input, row.patterns ?? '')).flatMap((pattern) =>
    paths.flatMap((path) => readingsOf(homely(fixedPart(pattern)), path)),
  );
  return once(few([...paths, ...below]).flatMap(operations[row.use]));
}

function once(requests: readonly PolicyRequest[]): readonly PolicyRequest[] {
  return [...new Map(requests.map((each) => [JSON.stringify(each), each])).values()];
}

type UrlRow = Extract<ToolRow, { readonly kind: 'urls' }>;

/**
 * Returns requests for every host that a call may fetch from. @throws HoldfastError `HF_HOOK_INVALID` if it names none,
 * or no URL of the web.
 */
function urlRequests({ urls, prose }: UrlRow, { input, tool }: HookCall): readonly PolicyRequest[] {
  const named = [
    ...memberTexts(input, urls),
    ...(prose === undefined ? [] : memberTexts(input, prose).flatMap(urlsWithin)),
  ];
  if (named.length === 0) throw invalidCall(`${tool} names no URL`);
  return few(named).map((text) => {
    const url = URL.parse(text);
    const port = url?.port === '' ? ports[url.protocol] : Number(url?.port);
    if (url === null || port === undefined || ports[url.protocol] === undefined)
      throw invalidCall(`${tool} names a URL that is not of the web`);
    return { kind: 'connect', host: url.hostname.replace(/^\[|\]$/gu, ''), port, protocol: 'tcp' };
  });
}

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Returns the URLs of a text, in each of its readings. Attack: a host that one reading names and the agent's does not,
 * as in `https://a.test"@b.test` and `https:/\b.test/?https://a.test`.
 */
function urlsWithin(text: string): readonly string[] {
  const words = text.split(/\s+/u).filter((word) => /^https?:/iu.test(word) && URL.canParse(word));
  const written = text.match(/[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>]+/giu) ?? [];
  const withUser = (text.match(/[a-z][a-z0-9+.-]{0,31}:\/\/\S+/giu) ?? []).filter(
    (each) => each.includes('@') && URL.canParse(each),
  );
  return [...new Set([...words, ...few(written), ...withUser])];
}

/** Characters. Attack: a pattern that is searched again from each of its characters holds up the server. */
const longest = 4096;

/**
 * Returns the start of a file pattern, up to the first directory that is not a plain name. All reads are below it.
 *
 * @throws HoldfastError `HF_HOOK_INVALID` where what comes behind may lead elsewhere.
 */
function fixedPart(pattern: string): string {
  if (pattern.length > longest) throw invalidCall(`a pattern has more than ${longest} characters`);
  const wild = pattern.search(/[*?[{(!\\]/u);
  if (wild === -1) return pattern;
  const start = pattern.lastIndexOf('/', wild) + 1;
  // An escaped character, or one alone in its class, means itself.
  const rest = pattern.slice(start).replaceAll(/[\\[\]]/gu, '');
  if (mayGoUp(rest)) throw invalidCall('a pattern has .. after a wildcard');
  if (start === 0 && mayBeAbsolute(rest.trimStart()))
    throw invalidCall('a pattern has absolute paths among its alternatives');
  return pattern.slice(0, start) || '.';
}

/** Attack: `.{.,x}/secret`, one of whose alternatives is `../secret`, and `..{/secret,x}`. */
function mayGoUp(rest: string): boolean {
  const pieces = rest.split(/[/{},()|!]/u);
  return pieces.includes('..') || (rest.includes('{') && pieces.filter((piece) => piece === '.').length > 1);
}

/** Attack: `{,x}/etc/passwd`, one of whose alternatives is `/etc/passwd`. A range may have an empty alternative. */
function mayBeAbsolute(rest: string): boolean {
  if (!/^[!{(/]/u.test(rest)) return false;
  const hasEmpty = /[{,][,}]|\.\./u.test(rest);
  return /(?:^|[!{,(|])\s*[~/]/u.test(rest) || (hasEmpty && /\}\s*[~/]/u.test(rest));
}

/**
 * Returns the file accesses of a patch. Codex and OpenCode know one form, `*** Begin Patch`, and also read it within
 * other text. Text around it is refused.
 *
 * @throws HoldfastError `HF_HOOK_INVALID`, `HF_USAGE` for a text that is no patch.
 */
function patchRequests(text: string, cwd: string): readonly PolicyRequest[] {
  if (!/^[ \t\r\n]*\*\*\* Begin Patch/u.test(text)) throw invalidCall('a patch does not start with *** Begin Patch');
  refuseBlanks(text);
  const paths = (name: string): readonly string[] => readingsOf(latin1Text(name), cwd);
  return few(parsePatch(text)).flatMap((change) => {
    switch (change.kind) {
      case 'add':
        return paths(change.path).flatMap(writes);
      case 'delete':
        return paths(change.path).flatMap(removes);
      case 'update':
        return change.moveTo === undefined
          ? paths(change.path).flatMap(writes)
          : [...paths(change.path).flatMap(removes), ...paths(change.moveTo).flatMap(writes)];
    }
  });
}

const header = /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): /u;

/**
 * Attack: a link whose name ends with a blank, which some readers of a patch trim and others do not. U+0085 is a blank
 * for Codex alone.
 */
function refuseBlanks(text: string): void {
  for (const line of text.split(/\r?\n/u)) {
    const [start] = header.exec(line) ?? [];
    if (start !== undefined && /^[\s\u0085]|[\s\u0085]$/u.test(line.slice(start.length)))
      throw invalidCall('a path in a patch starts or ends with a blank');
  }
}

/**
 * Returns the absolute paths that an agent may read a text as. Attack: a text that leads out of the workspace in only
 * one of its readings. Some agents take `..` off `link/../x`; others leave it to the kernel, which goes up from the
 * link's target. Claude Code trims blanks, and composes names (NFC).
 *
 * @throws HoldfastError `HF_HOOK_INVALID` for a text that is longer than any path.
 */
function readingsOf(text: string, directory: string): readonly string[] {
  checkLength(text);
  const texts = [text, text.trim()].flatMap((each) => [each, each.normalize('NFC')]);
  const paths = texts.map((each) => (each.startsWith('/') ? each : `${directory}/${each}`));
  return [...new Set(paths.flatMap((path) => [resolve(path), path.replace(/(?<=[^/])\/+$/u, '')]))];
}

/** Expands a home directory as Claude Code and OpenCode do. */
function homely(text: string): string {
  const path = text.trim();
  return path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : text;
}

function reads(path: string): readonly PolicyRequest[] {
  return [request('read', path)];
}

function writes(path: string): readonly PolicyRequest[] {
  return [request(exists(path) ? 'write' : 'create', path)];
}

/** A removal removes a link itself, not its target. */
function removes(path: string): readonly PolicyRequest[] {
  return [
    {
      kind: 'file',
      operation: 'delete',
      path: resolve(realPath(dirname(path)), path.slice(path.lastIndexOf('/') + 1)),
    },
  ];
}

/** A search of a tree around the home directory covers the home too. */
function searches(directory: string): readonly PolicyRequest[] {
  const home = homedir();
  const real = realPath(directory);
  const above = real === '/' || home.startsWith(`${real}/`);
  return [request('read', directory), ...(above ? [request('read', home)] : [])];
}

/** Follows links, because the agent will follow them too. */
function request(operation: FileAccess, path: string): PolicyRequest {
  return { kind: 'file', operation, path: realPath(path) };
}
