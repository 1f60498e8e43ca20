import type { PolicyRequest, RequestKind } from '../request.ts';
import { connect, dns, env, exec, file, hashOf, http, registry, signal, socket, tool, trust } from './requests.ts';

/** One kind of request, with a policy's possible statements about it. */
export interface Subject {
  readonly kind: RequestKind;
  /** `wide` and `narrow` match it. */
  readonly request: PolicyRequest;
  /** Only `wide` matches it. */
  readonly beside: PolicyRequest;
  /** Rule table, its key, and two patterns in it. */
  readonly rule: readonly [table: string, key: string];
  readonly wide: string;
  readonly narrow: string;
  readonly grants?: string;
  readonly denies?: string;
  readonly asks?: string;
  /** The answer of the built-in base. */
  readonly base: 'allow' | 'ask' | 'deny';
}

/** All kinds. */
export const subjects: readonly Subject[] = [
  {
    kind: 'file',
    request: file('read', '/srv/x/key'),
    beside: file('read', '/srv/y'),
    rule: ['file', 'paths'],
    wide: '/srv',
    narrow: '/srv/x',
    grants: 'files.read',
    denies: 'files.deny',
    base: 'deny',
  },
  {
    kind: 'exec',
    request: exec('tool', 'x', 'y'),
    beside: exec('tool', 'z'),
    rule: ['exec', 'commands'],
    wide: 'tool',
    narrow: 'tool x',
    grants: 'commands.allow',
    denies: 'commands.deny',
    asks: 'commands.ask',
    base: 'allow',
  },
  {
    kind: 'connect',
    request: connect('b.a.test'),
    beside: connect('c.a.test'),
    rule: ['connect', 'hosts'],
    wide: '*.a.test',
    narrow: 'b.a.test',
    grants: 'network.hosts',
    denies: 'network.deny',
    base: 'deny',
  },
  {
    kind: 'http',
    request: http('GET', 'https://b.a.test/x'),
    beside: http('GET', 'https://c.a.test/x'),
    rule: ['http', 'hosts'],
    wide: '*.a.test',
    narrow: 'b.a.test',
    grants: 'network.hosts',
    denies: 'network.deny',
    base: 'deny',
  },
  {
    kind: 'dns',
    request: dns('b.a.test'),
    beside: dns('c.a.test'),
    rule: ['dns', 'names'],
    wide: '*.a.test',
    narrow: 'b.a.test',
    grants: 'network.hosts',
    denies: 'network.deny',
    base: 'deny',
  },
  {
    kind: 'socket',
    request: socket('/run/app/x.sock'),
    beside: socket('/run/app/y.sock'),
    rule: ['socket', 'addresses'],
    wide: '/run/app',
    narrow: '/run/app/x.sock',
    grants: 'sockets.allow',
    denies: 'sockets.deny',
    base: 'deny',
  },
  {
    kind: 'signal',
    request: signal('SIGTERM', 'box'),
    beside: signal('SIGHUP', 'box'),
    rule: ['signal', 'signals'],
    wide: 'SIG*',
    narrow: 'SIGTERM',
    base: 'allow',
  },
  {
    kind: 'env',
    request: env('APP_X'),
    beside: env('APP_Y'),
    rule: ['env', 'names'],
    wide: 'APP_*',
    narrow: 'APP_X',
    grants: 'environment.pass',
    denies: 'environment.deny',
    base: 'deny',
  },
  {
    kind: 'tool',
    request: tool('mail/send'),
    beside: tool('mail/list'),
    rule: ['tool', 'tools'],
    wide: 'mail/*',
    narrow: 'mail/send',
    grants: 'tools.allow',
    denies: 'tools.deny',
    asks: 'tools.ask',
    base: 'ask',
  },
  {
    kind: 'trust',
    request: trust('conf/a', hashOf('a')),
    beside: trust('conf/b', hashOf('a')),
    rule: ['trust', 'paths'],
    wide: 'conf',
    narrow: 'conf/a',
    base: 'ask',
  },
  {
    kind: 'registry',
    request: registry('HKCU\\App\\Key'),
    beside: registry('HKCU\\App\\Other'),
    rule: ['registry_rule', 'keys'],
    wide: 'HKCU\\App',
    narrow: 'HKCU\\App\\Key',
    grants: 'registry.allow',
    denies: 'registry.deny',
    base: 'deny',
  },
];

/** `files.read = ["x"]` as a separate table. */
export function listText(list: string, ...patterns: readonly string[]): string {
  const [table = '', key = ''] = list.split('.');
  return `[${table}]\n${key} = [${patterns.map((pattern) => `'${pattern}'`).join(', ')}]\n`;
}

export function ruleText(
  { rule: [table, key] }: Subject,
  name: string,
  { decision, pattern }: { readonly decision: string; readonly pattern: string },
): string {
  const matcher = table === 'signal' && pattern === 'SIG*' ? '' : `${key} = ['${pattern}']\n`;
  return `[[${table}]]\nname = "${name}"\ndecision = "${decision}"\n${matcher}`;
}
