import type { Guard } from './guards.ts';

/** Code whose guards are removed one at a time, and the tests that have to notice. */
export interface Component {
  readonly name: string;
  /** Globs of source files. */
  readonly files: readonly string[];
  /** Names of tests as Vitest matches them: parts of their paths. */
  readonly tests: readonly string[];
  /** Tests of the machine, for a guard that the others do not miss. They run on new bundles. */
  readonly wide?: readonly string[];
  /** The removed construct. Default: `if`. */
  readonly kind?: Guard['kind'];
  /** `launcher`: builds it again, and runs tests of the machine. Default: tests beside the code. */
  readonly built?: 'launcher';
  /** Lines without an effect on any test, each with the reason. */
  readonly known?: Readonly<Record<string, string>>;
}

export const components: readonly Component[] = [
  {
    name: 'HTTP/1.1 parser',
    files: ['src/egress/http/h1/*.ts'],
    tests: ['src/egress/http/h1'],
    wide: ['src/egress', 'test/network/'],
  },
  {
    name: 'HTTP decisions',
    files: ['src/egress/http/{authority,decide-request,message,refusals,url-path}.ts'],
    tests: ['src/egress/http'],
    wide: ['src/egress', 'test/network/'],
  },
  {
    name: 'HTTP/2',
    files: ['src/egress/http/h2/*.ts'],
    tests: ['src/egress/http/h2', 'src/egress/pipeline'],
    wide: ['src/egress', 'test/network/'],
  },
  {
    name: 'connections',
    files: ['src/egress/pipeline/*.ts'],
    tests: ['src/egress/pipeline', 'src/egress/egress.test'],
  },
  {
    name: 'addresses',
    files: ['src/egress/ssrf/*.ts', 'src/egress/is-address.ts'],
    tests: ['src/egress/ssrf', 'src/egress/is-address'],
  },
  { name: 'DNS', files: ['src/egress/dns/**/*.ts'], tests: ['src/egress/dns'] },
  { name: 'TLS', files: ['src/egress/tls/*.ts'], tests: ['src/egress/tls', 'src/egress/pipeline'] },
  {
    name: 'credentials put in',
    files: ['src/credentials/inject/*.ts'],
    tests: ['src/credentials/inject'],
    wide: ['src/credentials', 'test/credentials'],
  },
  {
    name: 'masking',
    known: {
      'if (patterns.length === 0) return matches;': 'spares the walk where nothing is masked',
      'if (bytes.length < shortestBeginning) return false;': 'a shorter end has no block of a secret',
    },
    files: ['src/credentials/masking/*.ts'],
    tests: ['src/credentials/masking', 'src/credentials/inject'],
    wide: ['src/credentials', 'test/credentials'],
  },
  {
    name: 'PostgreSQL broker',
    files: ['src/credentials/postgres/**/*.ts'],
    tests: ['src/credentials/postgres'],
    wide: ['test/postgres.test', 'test/databases-in-boxes'],
  },
  {
    name: 'Redis broker',
    files: ['src/credentials/redis/**/*.ts'],
    tests: ['src/credentials/redis'],
    wide: ['test/redis'],
  },
  {
    name: 'signed requests',
    files: ['src/credentials/sigv4/*.ts'],
    tests: ['src/credentials/sigv4'],
    wide: ['src/credentials', 'test/credentials'],
  },
  {
    name: 'accept and undo',
    files: ['src/staged/apply/*.ts'],
    tests: ['src/staged'],
    wide: ['test/staged', 'test/accept-command'],
  },
  {
    name: 'staged changes',
    files: ['src/staged/changes/*.ts', 'src/staged/store/*.ts'],
    tests: ['src/staged'],
    wide: ['test/staged', 'test/accept-command'],
  },
  {
    name: 'trust',
    files: ['src/trust/{discover,extract,session,store}/*.ts'],
    tests: ['src/trust'],
    wide: ['test/trust-'],
  },
  { name: 'central policy', files: ['src/central/*.ts'], tests: ['src/central'], wide: ['test/central-policy'] },
  { name: 'approvals', files: ['src/approvals/**/*.ts'], tests: ['src/approvals'], wide: ['test/approvals'] },
  { name: 'journal', files: ['src/audit/*.ts'], tests: ['src/audit'], wide: ['test/audit', 'test/journal'] },
  { name: 'hooks', files: ['src/agents/hooks/**/*.ts'], tests: ['src/agents/hooks'], wide: ['test/agents'] },
  {
    name: 'MCP',
    files: ['src/mcp/*.ts', 'src/agents/mcp-wrap/*.ts'],
    tests: ['src/mcp', 'src/agents/mcp-wrap'],
    wide: ['test/mcp'],
  },
  { name: 'dashboard', files: ['src/dashboard/server/*.ts'], tests: ['src/dashboard'], wide: ['test/dashboard'] },
  { name: 'server', files: ['src/serve/**/*.ts'], tests: ['src/serve'], wide: ['test/serve', 'test/library'] },
  {
    name: 'policy decisions',
    known: {
      'if (first === undefined) return [];': 'without a first wish there are no others: only the compiler asks for it',
    },
    files: ['src/policy/*.ts', 'src/policy/layers/*.ts'],
    tests: ['src/policy'],
    wide: ['src/cli', 'src/notify', 'src/place', 'src/plan', 'test/file-rules'],
  },
  {
    name: 'policy patterns',
    known: {
      "if (plain !== undefined) return { kind: 'v4', bits: plain };": 'spares the reading of unusual spellings',
    },
    files: ['src/policy/patterns/*.ts', 'src/policy/normalise/*.ts'],
    tests: ['src/policy'],
    wide: ['src/cli', 'src/notify', 'src/place', 'src/plan', 'test/file-rules'],
  },
  {
    name: 'command rules',
    known: {
      'if (askAbove === undefined && denyAbove === undefined) return undefined;':
        'spares the search where no limit is set',
    },
    files: ['src/policy/command/*.ts', 'src/shell/class/*.ts'],
    tests: ['src/policy/command', 'src/shell/class'],
    wide: ['src/shell', 'test/command-rules'],
  },
  {
    name: 'plans',
    known: {
      'if (components === undefined) throw unenforceable(pattern.source, rule);':
        'the check of the policy refuses such a pattern first',
      'if (fact.real === path) return named;': 'spares a second decision about the same path',
      "if (groups.join(' ') === 'creations connections watches') return unpackProgram(builtGuards[architecture]);":
        'spares the assembly of a filter that a test holds to be the same',
    },
    files: ['src/plan/*.ts', 'src/plan/seccomp/**/*.ts'],
    tests: ['src/plan', 'src/backends'],
    wide: ['src/place', 'test/defaults', 'test/file-rules', 'test/seccomp'],
  },
  {
    name: 'supervisor of calls',
    files: ['src/notify/{judge,view,perform}/*.ts'],
    tests: ['src/notify'],
    wide: ['test/file-rules', 'test/command-rules', 'test/held-executions', 'test/socket-signal-rules'],
  },
  { name: 'cluster manifests', files: ['src/cluster/*.ts'], tests: ['src/cluster'], wide: ['test/cluster'] },
  {
    name: 'hidden text',
    known: { 'if (at === -1) return findings;': 'spares the walk through plain ASCII' },
    files: ['src/text/**/*.ts'],
    tests: ['src/text'],
    wide: ['test/text-boundaries'],
  },
  { name: 'system calls', kind: 'row', files: ['src/plan/seccomp/rules/*.ts'], tests: ['src/plan/seccomp'] },
  {
    name: 'hidden and protected names',
    kind: 'row',
    files: ['src/policy/builtin/{credential-stores,hidden,protected}.ts'],
    tests: ['src/policy', 'src/trust', 'scripts/docs-tables.test'],
  },
  { name: 'names of secrets', kind: 'row', files: ['src/policy/builtin/guarded-variables.ts'], tests: ['src/policy'] },
  {
    name: 'guard of names (C)',
    built: 'launcher',
    files: ['native/src/launch/guard/*.c'],
    tests: ['test/guard.test', 'test/socket-signal-rules', 'test/own-sockets', 'test/refused-sockets'],
    known: {
      'if (attribute.length < 4) return;': 'the kernel sends none; it would read one attribute for ever',
      'if (length + strlen(entry) + 2 > sizeof place->path) return;':
        'a path of 4,096 bytes and the few components of a name fit: no test can reach it',
      'if (!path_of_place(&there)) return false;':
        'a socket whose path is too long equals no granted one; what is compared is not set then',
      'if (enter_names(plan, root_path, &progress.states, &progress.packages)) return REFUSED;':
        'the walk at the start refuses such a root before anything runs',
    },
  },
  {
    name: 'root of the box (C)',
    built: 'launcher',
    files: ['native/src/launch/root/{root,mount,masks,protect,devices}.c'],
    tests: [
      'test/files.test',
      'test/covered-again',
      'test/staged-hostile',
      'test/workspace-of-another',
      'test/launcher-refused-calls',
    ],
  },
  {
    name: 'confinement (C)',
    built: 'launcher',
    files: ['native/src/launch/confine/*.c'],
    tests: [
      'test/seccomp.test',
      'test/landlock/',
      'test/backends/landlock-versions',
      'test/limits',
      'test/launcher-refused-calls',
    ],
  },
  {
    name: 'plans as bytes (C)',
    built: 'launcher',
    files: ['native/src/launch/plan/*.c'],
    tests: ['test/launcher-decoder', 'test/launcher-hostile-plans', 'test/staged-hostile-plans'],
  },
];
