import {
  each,
  toolFamily,
  flags,
  inOrder,
  noSpan,
  opaqueEffect,
  reads,
  repositoryCode,
  takes,
  tool,
  writes,
} from '../notation.ts';
import type { Grammar, Refinement, ToolSpec } from '../types.ts';
import { hasOption } from '../parsed-options.ts';
import { plainText, staticWord } from '../words.ts';
import { packageSources } from './sources.ts';
import { executes, projectModules, npmRegistry, registryQuestions, shared } from './package-manager-options.ts';

const what = 'scripts of package.json';
const scripts = repositoryCode(what);
const runsScripts: Refinement = {
  runs: [{ what, kind: 'repository-code' }],
  opaque: [{ kind: 'repository-code', message: `runs ${what}`, span: noSpan, concerns: 'tool' }],
};

const installs = [npmRegistry, writes('.'), ...repositoryCode('scripts of package.json and of the packages')];
/** `npm audit fix` and `pnpm audit --fix` install other versions. */
const audit = tool('audit', {
  options: [...shared, ...flags('--production', '--dev', '--fix', '--force')],
  operands: each('text'),
  always: [npmRegistry],
  refine: (parsed, { path }) =>
    hasOption(parsed, '--fix') || parsed.operands.some((word) => plainText(word) !== 'signatures')
      ? { ...runsScripts, writes: [path(staticWord('.'), 'write', 'tree')] }
      : {},
});

/** npm also takes its options from behind the script's name. The others pass those to the script. */
const runsWith = (grammar: Grammar, bare: Refinement = {}): readonly ToolSpec[] => [
  tool('run run-script rum urn', {
    grammar,
    options: [
      ...shared,
      ...flags('--if-present', '--ignore-scripts', '-r --recursive', '--parallel', '--stream'),
      ...takes('text', '--filter -F'),
    ],
    operands: each('text'),
    // Without a name it lists the scripts, unless it asks for one.
    refine: ({ operands }) => (operands.length === 0 ? bare : runsScripts),
  }),
  tool('test t tst start stop restart', { options: shared, operands: each('text'), always: scripts }),
];

const manifest = tool('pkg', {
  options: shared,
  operands: each('text'),
  refine: ({ operands: [verb] }, { path }) =>
    verb?.kind === 'static' && verb.value === 'get'
      ? {}
      : { writes: [path(staticWord('package.json'), 'write', 'file')] },
});

/** Words for these registryQuestions. Each manager has its own: what pnpm and yarn do not know is a script. */
const locals = (lists: string, facts: string, settings: string): readonly ToolSpec[] => [
  tool(lists, {
    options: [
      ...shared,
      ...flags('-a --all', '--production', '--dev', '--link', '-r --recursive'),
      ...takes('text', '--pattern'),
    ],
    operands: each('text'),
    always: [reads('.')],
  }),
  tool(facts, { options: shared, operands: each('text'), always: [reads('.')] }),
  tool(settings, {
    options: shared,
    operands: each('text'),
    always: [reads('.')],
    refine: (parsed, context) => {
      const [verb, key] = parsed.operands;
      if (verb?.kind === 'static' && ['get', 'list', 'ls'].includes(verb.value)) return {};
      const file = { kind: 'static', lead: 'home', value: '/.npmrc', span: verb?.span ?? noSpan } as const;
      return {
        writes: [context.path(file, 'write', 'file')],
        opaque: [
          {
            kind: 'inline-code',
            message: `settings such as \`${key?.kind === 'static' ? key.value : 'script-shell'}\` can name programs that run later`,
            span: verb?.span ?? noSpan,
          },
        ],
      };
    },
  }),
];

/** With a name, they open a browser or a reader of manuals. `.npmrc` may choose it by `viewer`. */
const opens = tool('fund help', {
  options: shared,
  operands: each('refused'),
  always: [reads('.')],
});

const changes = (names: string) =>
  tool(names, {
    options: [
      ...shared,
      ...flags(
        '-D --save-dev --dev',
        '-S --save',
        '-P --save-prod --prod --production',
        '-O --save-optional',
        '-E --save-exact --exact',
        '--no-save',
        '-f --force',
        '--legacy-peer-deps',
        '--ignore-scripts',
        '--package-lock-only',
        '--no-package-lock',
        '--frozen-lockfile',
        '--immutable',
        '--no-frozen-lockfile',
        '--dry-run',
        '--no-optional',
        '-W --ignore-workspace-root-check',
        '-r --recursive',
        '--latest -L',
        '--lockfile-only',
        '--strict-peer-deps',
      ),
      ...takes('text', '--tag', '--filter -F'),
    ],
    operands: each('text'),
    always: installs,
    refine: packageSources,
  });

/** They change something at the registry, and run no scripts. */
const registers = ['deprecate dist-tag owner access star', 'unpublish'].map((names) =>
  tool(names, {
    options: [...shared, ...flags('-f --force', '--dry-run'), ...takes('text', '--otp')],
    operands: each('text'),
    always: [npmRegistry, opaqueEffect('unknown-option', 'changes something at the package registry')],
  }),
);

const publishes = tool('publish token login logout adduser', {
  options: [...shared, ...flags('--dry-run', '--provenance'), ...takes('text', '--tag', '--access', '--otp')],
  operands: each('text'),
  always: [npmRegistry, opaqueEffect('unknown-option', 'changes something at the package registry'), ...scripts],
});

const exec = tool('exec x dlx create init', { grammar: 'getopt', ...executes });

const packs = tool('pack', {
  options: [...shared, ...flags('--dry-run'), ...takes('write-tree', '--pack-destination')],
  operands: each('text'),
  always: [reads('.'), writes('.'), ...scripts],
});

const bumps = tool('version', {
  options: [
    ...shared,
    ...flags('--no-git-tag-version', '--allow-same-version'),
    ...takes('text', '-m --message', '--preid'),
  ],
  operands: each('text'),
  always: [writes('.'), ...scripts],
});

const managerOptions = {
  options: [
    ...shared,
    ...flags('-v --version', '-h --help', '-r --recursive', '--if-present'),
    ...takes('text', '--filter -F'),
  ],
};

/** A word that is not one of their commands is a script. These names are the usual ones. */
const usual = tool(
  'build lint dev format fmt typecheck type-check check-types coverage e2e clean compile watch preview storybook tsc eslint jest vitest prettier',
  { grammar: 'words', operands: each('text'), always: scripts },
);

export const npmManager = toolFamily(
  'npm',
  [
    registryQuestions,
    audit,
    ...runsWith('getopt'),
    manifest,
    opens,
    ...locals('ls list ll la', 'why explain root bin prefix query get sbom help-search completion', 'config c'),
    changes(
      'install i add ci clean-install install-test it update up upgrade uninstall un remove rm r prune dedupe ddp rebuild rb link ln',
    ),
    publishes,
    ...registers,
    exec,
    packs,
    bumps,
  ],
  managerOptions,
);

export const pnpm = toolFamily(
  'pnpm',
  [
    usual,
    registryQuestions,
    audit,
    ...runsWith('getopt-posix'),
    manifest,
    ...locals('ls list ll la', 'why root bin prefix help', 'config c'),
    changes('install i add update up upgrade remove rm uninstall un prune dedupe rebuild rb link import fetch'),
    publishes,
    ...registers,
    exec,
    packs,
    bumps,
  ],
  { ...managerOptions, always: repositoryCode('the pnpm that package.json names') },
);

export const yarn = toolFamily(
  'yarn',
  [
    usual,
    tool('info npm-info outdated audit', { options: shared, operands: each('text'), always: [npmRegistry] }),
    ...runsWith('getopt-posix', runsScripts),
    ...locals('list', 'why bin help', 'config'),
    changes('install add remove up upgrade dedupe link unlink import'),
    exec,
    packs,
  ],
  {
    ...managerOptions,
    // Attack: `yarn-path "./x.js"` in .yarnrc runs for every question, also for `--version`.
    always: repositoryCode('the Yarn that .yarnrc or .yarnrc.yml names'),
    refine: (parsed) =>
      parsed.operands.length > 0 || parsed.options.some(({ spelled }) => spelled === '--version' || spelled === '-v')
        ? {}
        : {
            opaque: [
              {
                kind: 'repository-code',
                message: 'installs, and runs scripts of package.json and of the packages',
                span: noSpan,
              },
            ],
          },
  },
);

export const bun = toolFamily(
  'bun',
  [
    tool('run', {
      grammar: 'getopt-posix',
      options: [
        ...flags('--silent', '--bun', '--watch', '--hot', '--if-present'),
        ...takes('directory', '--cwd'),
        ...takes('code-file', '-r --preload'),
        ...takes('read', '--env-file'),
        ...takes('text', '--filter'),
      ],
      operands: inOrder(['code-file'], 'text'),
    }),
    tool('test', {
      options: [
        ...flags('--watch', '--coverage', '--bail', '--only', '-u --update-snapshots'),
        ...takes('text', '-t --test-name-pattern', '--timeout'),
        ...takes('code-file', '--preload'),
      ],
      operands: each('text'),
      always: repositoryCode('the test files of the project'),
    }),
    changes('install i add remove update link'),
    exec,
    tool('build', {
      options: [
        ...flags('--minify', '--watch', '--splitting'),
        ...takes('text', '--target', '--format', '--sourcemap', '--external'),
        ...takes('write', '--outfile'),
        ...takes('write-tree', '--outdir'),
      ],
      operands: each('read'),
      always: projectModules,
    }),
    toolFamily('pm', [
      tool('ls bin hash hash-string hash-print whoami', { options: flags('--all', '-g'), always: [reads('.')] }),
      tool('cache migrate trust untrusted default-trusted pack version pkg', {
        operands: each('text'),
        always: projectModules,
      }),
    ]),
  ],
  { options: [...flags('-v --version', '--revision', '-h --help'), ...takes('code', '-e --eval', '-p --print')] },
);
