import picomatch from 'picomatch';
import { decide } from '../src/policy/decide.ts';
import { parsePolicy } from '../src/policy/document/parse.ts';
import type { PolicyDocument } from '../src/policy/document/types.ts';
import { compileLayer, userLayer } from '../src/policy/layers/compile-layer.ts';
import { builtinRequired } from '../src/policy/layers/required.ts';
import { type Policy, policyOf } from '../src/policy/policy.ts';
import type { PolicyRequest } from '../src/policy/request.ts';
import { type Report, titles } from './lib/report.ts';
import { table } from './lib/table.ts';

const places = { home: '/home/dev', workspace: '/home/dev/app' } as const;
/** Many short rounds, so that the median excludes the machine's other load. */
const rounds = 200;
const passes = 500;
const budgetNanoseconds = 1000;

/** A decision against as many picomatch patterns in turn, which also shows the speed of the machine. */
const budgetOfPeer = 0.1;

/**
 * The cost of a decision with 200 rules, and of compiling the built-in policy. No peer decides in process. So the peer
 * is 200 patterns of picomatch, compiled and tried in turn on the same texts, which only finds a match.
 */
export async function policy(): Promise<Report> {
  const cold = coldCompile();
  const warm = median(Array.from({ length: 200 }, coldCompile).slice(100));
  const compiled = benchPolicy();
  // All requests in turn first, so that the compiler does not specialise in one of them.
  for (const request of Array.from({ length: 3000 }, () => Object.values(cases).flat()).flat())
    sink(decide(compiled, request).decision);
  const costs = Object.entries(cases).map(([kind, requests]) => ({
    kind,
    ...costOf(compiled, requests),
    peer: peerCost(kind, requests),
  }));
  const rows = costs.map(({ kind, median: usual, highest, peer }) => [
    kind,
    usual.toFixed(0),
    highest.toFixed(0),
    peer.toFixed(0),
  ]);
  return {
    title: 'policy: one decision with 200 rules, in three layers',
    parts: [
      table(titles('', ['median ns', 'dearest ns', '200 × picomatch ns']), rows),
      `the built-in policy, compiled and asked once: ${cold.toFixed(2)} ms in a fresh process, ${warm.toFixed(2)} ms with compiled code`,
    ],
    budgets: [
      ...costs.map(
        ({ kind, median: usual }) =>
          ({
            claim: `a ${kind} decision`,
            measured: usual,
            limit: budgetNanoseconds,
            unit: 'ns',
            direction: 'at-most',
          }) as const,
      ),
      ...costs.map(
        ({ kind, median: usual, peer }) =>
          ({
            claim: `a ${kind} decision ÷ 200 × picomatch`,
            measured: usual / peer,
            limit: budgetOfPeer,
            unit: '×',
            direction: 'at-most',
          }) as const,
      ),
      { claim: 'compiling what is built in', measured: warm, limit: 1, unit: 'ms', direction: 'at-most' },
    ],
  };
}

/** 200 rules and long lists in the user's policy, and a ceiling in the project's: more than anyone writes. */
function benchPolicy(): Policy {
  const user = documentOf(
    [
      'version = 1',
      `[files]\nread = [${numbered(40, (n) => `"/srv/data-${n}"`)}]\nwrite = ["/srv/out"]\ndeny = ["**/secrets", "/srv/data-3/private"]`,
      `[network]\nhosts = [${numbered(60, (n) => `"api-${n}.example.com"`)}, "*.internal.example.org", "10.0.0.0/8:5432", "registry.npmjs.org"]\ndeny = ["evil.example.com"]`,
      `[commands]\nask = ["git push", "npm publish"]\ndeny = ["rm -rf /"]`,
      ...tables(
        70,
        (n) =>
          `[[file]]\nname = "file-${n}"\ndecision = "deny"\npaths = ["src/generated-${n}", "packages/*/dist-${n}"]\noperations = ["write", "create"]`,
      ),
      ...tables(
        70,
        (n) =>
          `[[exec]]\nname = "exec-${n}"\ndecision = "ask"\ncommands = ["tool-${n} deploy *", "kubectl delete ns-${n}"]`,
      ),
      ...tables(
        60,
        (n) =>
          `[[connect]]\nname = "connect-${n}"\ndecision = "audit"\nhosts = ["db-${n}.example.net:5432", "*.zone-${n}.example.net"]`,
      ),
    ].join('\n'),
    'policy.toml',
  );
  const project = documentOf('version = 1\n[files]\nwrite = ["."]\nprotect = ["schema"]', 'holdfast.toml');
  return policyOf([
    builtinRequired(places),
    userLayer(user, places),
    compileLayer(project, { kind: 'project', ...places }),
  ]);
}

function numbered(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => text(n)).join(', ');
}

function tables(count: number, text: (n: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, n) => text(n));
}

function documentOf(text: string, file: string): PolicyDocument {
  const parsed = parsePolicy(text, { file });
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  return parsed.document;
}

const file = (operation: 'read' | 'write' | 'create', path: string): PolicyRequest => ({
  kind: 'file',
  operation,
  path,
});
const exec = (...argv: string[]): PolicyRequest => ({
  kind: 'exec',
  program: `/usr/bin/${argv[0] ?? ''}`,
  argv,
  context: 'direct',
});
const connect = (host: string, port = 443): PolicyRequest => ({ kind: 'connect', host, port, protocol: 'tcp' });

const cases: Readonly<Record<string, readonly PolicyRequest[]>> = {
  file: [
    file('read', '/usr/lib/node_modules/npm/lib/cli.js'),
    file('read', '/home/dev/app/src/components/button/index.ts'),
    file('write', '/home/dev/app/packages/core/lib/index.js'),
    file('create', '/home/dev/app/node_modules/left-pad/index.js'),
    file('read', '/home/dev/app/.git/objects/ab/cdef0123456789'),
    file('write', '/home/dev/app/.git/hooks/pre-commit'),
    file('read', '/home/dev/.ssh/id_ed25519'),
    file('write', '/home/dev/app/src/generated-61/x.ts'),
    file('read', '/home/dev/notes/private.txt'),
    file('read', '/srv/data-33/table.csv'),
  ],
  host: [
    connect('registry.npmjs.org'),
    connect('api-41.example.com'),
    connect('deep.er.internal.example.org'),
    connect('10.1.2.3', 5432),
    connect('db-30.example.net', 5432),
    connect('a.zone-55.example.net'),
    connect('evil.example.com'),
    connect('unknown.example.com'),
    connect('EXAMPLE.com.'),
  ],
  command: [
    exec('git', 'status'),
    exec('git', 'push', 'origin', 'main'),
    exec('npm', 'test'),
    exec('tool-60', 'deploy', 'prod'),
    exec('kubectl', 'delete', 'ns-12'),
    exec('kubectl', 'get', 'pods'),
    exec('rm', '-rf', '/'),
    exec('node', 'index.js', '--port', '3000'),
  ],
};

interface Cost {
  /** Median over the requests of a kind. */
  readonly median: number;
  /** The most expensive request: usually a refusal, whose text takes time. */
  readonly highest: number;
}

function costOf(policy: Policy, requests: readonly PolicyRequest[]): Cost {
  const costs = requests.map((request) => nanosecondsPer(() => sink(decide(policy, request).decision)));
  return { median: median(costs), highest: Math.max(...costs) };
}

/** Patterns such as those of the policy, in the peer's spelling. */
const peerPatterns: Readonly<Record<string, readonly string[]>> = {
  file: [
    ...tables(70, (n) => `/home/dev/app/src/generated-${n}/**`),
    ...tables(70, (n) => `/home/dev/app/packages/*/dist-${n}/**`),
    ...tables(60, (n) => `/srv/data-${n}/**`),
  ],
  host: [
    ...tables(60, (n) => `api-${n}.example.com`),
    ...tables(70, (n) => `db-${n}.example.net`),
    ...tables(70, (n) => `*.zone-${n}.example.net`),
  ],
  command: [...tables(100, (n) => `tool-${n} deploy *`), ...tables(100, (n) => `kubectl delete ns-${n}*`)],
};

function peerCost(kind: string, requests: readonly PolicyRequest[]): number {
  const matchers = (peerPatterns[kind] ?? []).map((pattern) => picomatch(pattern, { dot: true }));
  const costs = requests
    .map(textOf)
    .map((text) =>
      nanosecondsPer(() => sink(matchers.findIndex((matches) => matches(text)) === -1 ? 'none' : 'one'), 10),
    );
  return median(costs);
}

function textOf(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return request.path;
    case 'connect':
      return request.host;
    case 'exec':
      return request.argv.join(' ');
    default:
      throw new Error(`${request.kind} is not measured`);
  }
}

/** Median over rounds, after as many warm-up rounds for the compiler. */
function nanosecondsPer(act: () => void, times = passes): number {
  const samples = Array.from({ length: 2 * rounds }, () => {
    const start = process.hrtime.bigint();
    for (let pass = 0; pass < times; pass += 1) act();
    return Number(process.hrtime.bigint() - start) / times;
  });
  return median(samples.slice(rounds));
}

/** Reads the result, so that the compiler does not remove the work. */
const seen = new Set<string>();
function sink(value: string): void {
  if (value === 'never') seen.add(value);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The cost of a process's first decision: the compilation of the whole built-in policy, without any file. */
function coldCompile(): number {
  const start = performance.now();
  sink(
    decide(policyOf([builtinRequired(places), userLayer(undefined, places)]), file('read', '/usr/bin/env')).decision,
  );
  return performance.now() - start;
}
