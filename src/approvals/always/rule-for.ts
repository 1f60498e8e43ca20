import { createHash } from 'node:crypto';
import type { RuleTable } from '../../policy/document/rule-schema.ts';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { pathPatternOf } from '../../policy/patterns/path-pattern.ts';
import { escapeWildcard } from '../../policy/patterns/wildcard.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { tomlText } from '../../policy/words/toml-text.ts';

/** Policy text of the rules that allow one request. */
export interface AlwaysRule {
  readonly table: RuleTable;
  readonly names: readonly string[];
  /** One or two tables, with a final line break. */
  readonly text: string;
}

/** Keys of a rule other than its name, with their values, in order. */
type Body = readonly (readonly [string, readonly (string | number)[] | string])[];

/**
 * Returns the smallest rules that allow a request under the asking rule `asked`. Undefined if no rule can express
 * exactly this request.
 */
export function ruleFor(request: PolicyRequest, asked: string): AlwaysRule | undefined {
  const table = tables[request.kind];
  const body = bodyOf(request);
  if (body === undefined) return undefined;
  const name = `always-${createHash('sha256')
    .update(JSON.stringify([table, body]))
    .digest('hex')
    .slice(0, 12)}`;
  const reason = `"always" was the answer when "${asked}" asked`;
  const allow = tableText(table, [['name', name], ['decision', 'allow'], ['reason', reason], ...body]);
  const more = moreThan(request, body);
  if (more === undefined) return { table, names: [name], text: allow };
  const asking = tableText(table, [
    ['name', `${name}-more`],
    ['decision', 'ask'],
    ['reason', more.reason],
    ...more.body,
  ]);
  return { table, names: [`${name}-more`, name], text: `${asking}\n${allow}` };
}

/**
 * The part of a pattern's meaning that goes beyond the request. Those requests still need an approval. Rules about
 * files are not offered, because the kernel could not enforce them.
 */
function moreThan(request: PolicyRequest, body: Body): { readonly reason: string; readonly body: Body } | undefined {
  switch (request.kind) {
    case 'socket':
      return request.address.startsWith('@')
        ? undefined
        : { reason: beneath, body: withPatterns(body, 'addresses', (pattern) => [`${pattern}/*`]) };
    case 'registry':
      return { reason: beneath, body: withPatterns(body, 'keys', (pattern) => [String.raw`${pattern}\*`]) };
    case 'file':
    case 'exec':
    case 'connect':
    case 'http':
    case 'dns':
    case 'signal':
    case 'env':
    case 'tool':
    case 'trust':
      return undefined;
  }
}

const beneath = 'only the place itself was allowed, not its contents';

function withPatterns(body: Body, name: string, change: (pattern: string | number) => readonly string[]): Body {
  return body.map(([key, value]) =>
    key === name && Array.isArray(value) ? [key, value.flatMap(change)] : [key, value],
  );
}

const tables: Readonly<Record<PolicyRequest['kind'], RuleTable>> = {
  file: 'file',
  exec: 'exec',
  connect: 'connect',
  http: 'http',
  dns: 'dns',
  socket: 'socket',
  signal: 'signal',
  env: 'env',
  tool: 'tool',
  trust: 'trust',
  registry: 'registry_rule',
};

function bodyOf(request: PolicyRequest): Body | undefined {
  switch (request.kind) {
    case 'file':
      return hasControl(request.path)
        ? undefined
        : [
            ['paths', [pathPatternOf(request.path)]],
            ['operations', [request.operation]],
          ];
    case 'exec':
      return commandBody(request);
    case 'connect':
      return hostBody(request.host, (host) => [
        ['hosts', [host]],
        ['ports', [request.port]],
        ['protocol', request.protocol],
      ]);
    case 'http':
      return hostBody(request.host, (host) => [
        ['hosts', [host]],
        ['ports', [request.port]],
        ['schemes', [request.scheme]],
        ['methods', [request.method]],
        ['paths', [escapeWildcard(request.path)]],
      ]);
    case 'dns':
      return hostBody(request.name, (host) => [
        ['names', [host]],
        ['types', [request.recordType]],
      ]);
    case 'socket':
      return hasControl(request.address)
        ? undefined
        : [
            [
              'addresses',
              [request.address.startsWith('@') ? escapeWildcard(request.address) : pathPatternOf(request.address)],
            ],
            ['operations', [request.operation]],
          ];
    case 'signal':
      return [
        ['signals', [request.signal]],
        ['targets', [request.target]],
      ];
    case 'env':
      return [['names', [escapeWildcard(request.name)]]];
    case 'tool':
      return [['tools', [escapeWildcard(`${request.server}/${request.tool}`)]]];
    case 'trust':
      return hasControl(request.path)
        ? undefined
        : [
            ['paths', [pathPatternOf(request.path)]],
            ['sha256', [request.sha256]],
          ];
    case 'registry':
      // A backslash separates keys, so it does not escape.
      return /[*?]/u.test(request.key)
        ? undefined
        : [
            ['keys', [request.key]],
            ['operations', [request.operation]],
          ];
  }
}

/**
 * A bare name means any program with that name, and an unknown word means any word. A word with U+FFFD may have been
 * other bytes. A rule also cannot express `argv[0]`, by which a multi-call program such as busybox picks its command.
 */
function commandBody({
  program,
  argv,
  context,
  unknown = [],
}: Extract<PolicyRequest, { readonly kind: 'exec' }>): Body | undefined {
  const words = [program, ...argv.slice(1)];
  const isCalledSo = argv[0] === program || argv[0] === program.slice(program.lastIndexOf('/') + 1);
  if (!program.startsWith('/') || !isCalledSo || unknown.length > 0 || words.some((word) => word.includes('\ufffd')))
    return undefined;
  return [
    ['exactly', words],
    ['context', context],
  ];
}

function hostBody(text: string, body: (host: string) => Body): Body | undefined {
  const host = normaliseHost(text);
  return host === undefined ? undefined : body(host.address?.kind === 'v6' ? `[${host.text}]` : host.text);
}

function tableText(table: RuleTable, body: Body): string {
  return `[[${table}]]\n${body.map(([key, value]) => `${key} = ${valueText(value)}${remarks[`${table}.${key}`] ?? ''}\n`).join('')}`;
}

/** Meanings of a rule that go beyond the request and cannot be avoided. A comment in the rule warns its reader. */
const remarks: Readonly<Record<string, string>> = {
  'file.paths': ' # and its contents, if it is a directory',
  'tool.tools': ' # with any arguments',
};

function valueText(value: Body[number][1]): string {
  return typeof value === 'string'
    ? tomlText(value)
    : `[${value.map((item) => (typeof item === 'number' ? String(item) : tomlText(item))).join(', ')}]`;
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
