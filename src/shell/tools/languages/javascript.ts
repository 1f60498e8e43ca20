import {
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  noSpan,
  opaqueEffect,
  reaches,
  reachesUnknown,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { Grammar, OptionSpec, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { packageSources } from './sources.ts';
import { runsInput } from './runs-input.ts';

const node = tool('node nodejs', {
  grammar: 'getopt-posix',
  options: [
    ...flags(
      '-v --version',
      '-h --help',
      '--v8-options',
      '-c --check',
      '--trace-warnings',
      '--trace-deprecation',
      '--no-warnings',
      '--no-deprecation',
      '--throw-deprecation',
      '--enable-source-maps',
      '--expose-gc',
      '--preserve-symlinks',
      '--test-only',
      '--experimental-strip-types',
      '--no-experimental-strip-types',
      '--experimental-transform-types',
      '--experimental-vm-modules',
      '--pending-deprecation',
      '--trace-uncaught',
      '--watch-preserve-output',
      '--permission',
    ),
    ...takes(
      'text',
      '--max-old-space-size',
      '--stack-trace-limit',
      '--unhandled-rejections',
      '--test-name-pattern',
      '--test-reporter-destination',
      '--input-type',
      '--conditions -C',
      '--title',
      '--test-concurrency',
      '--test-timeout',
      '--dns-result-order',
    ),
    ...takes('code', '-e --eval', '-p --print').map((option) => ({ ...option, operands: each('text') })),
    ...takes(
      'code-file',
      '-r --require',
      '--import',
      '--loader --experimental-loader',
      '--test-reporter',
      '--test-global-setup',
    ),
    ...takes('read', '--env-file', '--env-file-if-exists', '--experimental-config-file'),
    ...takes('write-tree', '--cpu-prof-dir', '--diagnostic-dir', '--report-dir'),
    ...warns(opaqueEffect('repository-code', '`--test` runs the test files of the project'), '--test', '--watch'),
    ...warns(opaqueEffect('stdin-code', '`--interactive` runs what is typed'), '-i --interactive'),
    ...warnsTaking(opaqueEffect('repository-code', '`--run` runs a script of package.json'), '--run'),
    {
      names: ['--inspect', '--inspect-brk', '--inspect-wait'],
      value: 'optional',
      effect: opaqueEffect('inline-code', '`--inspect` lets others run code in the process'),
    },
    ...warnsTaking(
      opaqueEffect('inline-code', '`--openssl-config` can load a library'),
      '--openssl-config',
      '--icu-data-dir',
    ),
  ],
  operands: inOrder(['code-file'], 'text'),
  refine: runsInput('-v', '-h', '-e', '-p', '--v8-options', '--test', '--run'),
});

/** A module from another host is code that nobody here has seen. */
const remoteModule: Refine = (parsed, context) => {
  const first = parsed.operands[0];
  if (first === undefined || !/^(?:https?|npm|jsr|data):/iu.test(wordAsTyped(first))) return {};
  return {
    ...packageSources({ ...parsed, operands: [first] }, context),
    opaque: [{ kind: 'inline-code', message: `\`${wordAsTyped(first)}\` is code of another host`, span: first.span }],
  };
};

const permissions = flags(
  '-A --allow-all',
  '--no-prompt',
  '-q --quiet',
  '--no-check',
  '--no-lock',
  '--frozen',
  '--cached-only',
  '--no-remote',
  '--no-npm',
);
const project = repositoryCode('scripts, configuration and modules of the project');
const deno = toolFamily(
  'deno',
  [
    tool('run serve', {
      grammar: 'getopt-posix',
      options: [
        ...permissions,
        ...maybe(
          'text',
          '-R --allow-read',
          '-W --allow-write',
          '-N --allow-net',
          '-E --allow-env',
          '--allow-run',
          '--allow-sys',
          '--allow-ffi',
          '--check',
          '-r --reload',
          '--watch',
        ),
        ...takes('code-file', '--preload', '--import-map', '-c --config'),
      ],
      operands: inOrder(['code-file'], 'text'),
      refine: remoteModule,
    }),
    tool('test bench task check', {
      options: [...permissions, ...flags('--coverage', '--parallel'), ...takes('text', '--filter')],
      operands: each('text'),
      always: project,
    }),
    tool('eval', { options: permissions, operands: each('code') }),
    tool('fmt', { options: flags('--check'), operands: each('write-tree') }),
    tool('lint', { options: [...flags('--fix', '--json')], operands: each('read-tree'), always: project }),
    tool('info doc', { operands: each('text'), refine: reachesUnknown('hosts of imported modules') }),
    tool('install add cache', {
      options: permissions,
      operands: each('text'),
      always: [reaches('jsr.io'), reaches('registry.npmjs.org'), writes('.'), ...project],
    }),
  ],
  { options: flags('-V --version', '-h --help') },
);

const registry = reaches('registry.npmjs.org');
const output: readonly OptionSpec[] = [
  ...flags(
    '-s --silent',
    '-q --quiet',
    '-d',
    '--verbose',
    '--json',
    '-l --long',
    '-g --global',
    '-p --parseable',
    '--no-color',
    '--offline',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--include-workspace-root',
  ),
  ...takes('text', '--depth', '--loglevel', '-w --workspace', '--omit', '--include', '--color'),
  ...maybe('text', '--workspaces'),
];
const elsewhere: readonly OptionSpec[] = [
  ...takes('directory', '-C --prefix --dir --cwd'),
  ...takes('url', '--registry'),
  ...warnsTaking(opaqueEffect('inline-code', '`--script-shell` runs every script'), '--script-shell', '--shell'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--userconfig` takes settings, which can name programs, from a file'),
    '--userconfig',
    '--globalconfig',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--node-options` loads code'), '--node-options'),
];
const shared = [...output, ...elsewhere];
const scripts = repositoryCode('scripts of package.json');
const installs = [registry, writes('.'), ...repositoryCode('scripts of package.json and of the packages')];

/** Another file may set the registry: the project's `.npmrc` names the host that is really asked. */
const questions = tool('view info show v search outdated audit ping whoami', {
  options: [...shared, ...flags('--production', '--dev', '--fix')],
  operands: each('text'),
  always: [registry],
});
/** npm also takes its options from behind the script's name. The others pass those to the script. */
const runsWith = (grammar: Grammar): readonly ToolSpec[] => [
  tool('run run-script rum urn', {
    grammar,
    options: [
      ...shared,
      ...flags('--if-present', '--ignore-scripts', '-r --recursive', '--parallel', '--stream'),
      ...takes('text', '--filter -F'),
    ],
    operands: each('text'),
    always: scripts,
  }),
  tool('test t tst start stop restart', { options: shared, operands: each('text'), always: scripts }),
];
const locals = [
  tool('ls list ll la', {
    options: [...shared, ...flags('-a --all', '--production', '--dev', '--link')],
    operands: each('text'),
    always: [reads('.')],
  }),
  tool('why explain fund root bin prefix help version-info', {
    options: shared,
    operands: each('text'),
    always: [reads('.')],
  }),
  tool('config c', {
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
const publishes = tool('publish unpublish deprecate dist-tag owner access token login logout adduser star', {
  options: [...shared, ...flags('--dry-run', '--provenance'), ...takes('text', '--tag', '--access', '--otp')],
  operands: each('text'),
  always: [registry, opaqueEffect('unknown-option', 'changes something at the package registry'), ...scripts],
});
/** The package may be missing; then its code comes from the registry. */
const executes = {
  options: [
    ...shared.filter(({ names }) => !names.includes('-p')),
    ...flags('-y --yes', '--no', '--no-install', '--bun'),
    ...takes('text', '-p --package'),
    ...takes('script', '-c --call'),
  ],
  operands: inOrder(['text'], 'text'),
  always: [registry, opaqueEffect('inline-code', 'runs a package, which may come from the registry')],
  refine: packageSources,
} as const;
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
const runs = runsWith('getopt-posix');
/** A word that is not one of their commands is a script. These names are the usual ones. */
const usual = tool(
  'build lint dev format fmt typecheck type-check check-types coverage e2e clean compile watch preview storybook tsc eslint jest vitest prettier',
  { grammar: 'words', operands: each('text'), always: scripts },
);

const npm = toolFamily(
  'npm',
  [
    questions,
    ...runsWith('getopt'),
    ...locals,
    changes(
      'install i add ci clean-install install-test it update up upgrade uninstall un remove rm r prune dedupe ddp rebuild rb link ln',
    ),
    publishes,
    exec,
    packs,
    bumps,
  ],
  managerOptions,
);
const pnpm = toolFamily(
  'pnpm',
  [
    usual,
    questions,
    ...runs,
    ...locals,
    changes('install i add update up upgrade remove rm uninstall un prune dedupe rebuild rb link import fetch'),
    publishes,
    exec,
    packs,
    bumps,
  ],
  managerOptions,
);
const yarn = toolFamily(
  'yarn',
  [
    usual,
    tool('info npm-info outdated audit', { options: shared, operands: each('text'), always: [registry] }),
    ...runs,
    ...locals,
    changes('install add remove up upgrade dedupe link unlink import'),
    exec,
    packs,
  ],
  {
    ...managerOptions,
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
const bun = toolFamily(
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
      always: project,
    }),
    tool('pm', { operands: each('text'), always: project }),
  ],
  { options: [...flags('-v --version', '--revision', '-h --help'), ...takes('code', '-e --eval', '-p --print')] },
);

/** Their configuration is code, or names modules that are. */
const checkers = (
  names: string,
  options: readonly OptionSpec[],
  what = 'configuration and plugins of the project',
): ToolSpec => tool(names, { options, operands: each('text'), always: [reads('.'), ...repositoryCode(what)] });

const tools: readonly ToolSpec[] = [
  checkers(
    'tsc',
    [
      ...flags(
        '--noEmit',
        '--watch -w',
        '-v --version',
        '--build -b',
        '--init',
        '--strict',
        '--pretty',
        '--listFiles',
        '--showConfig',
        '--skipLibCheck',
        '--declaration -d',
        '--emitDeclarationOnly',
        '--incremental',
        '--force -f',
        '--verbose',
        '--all',
        '-h --help',
        '--noErrorTruncation',
        '--esModuleInterop',
        '--extendedDiagnostics',
      ),
      ...takes('text', '--target -t', '--module -m', '--moduleResolution', '--lib', '--jsx'),
      ...takes('read', '-p --project'),
      ...takes('write-tree', '--outDir', '--declarationDir'),
      ...takes('write', '--tsBuildInfoFile', '--outFile'),
    ],
    'plugins that tsconfig.json names',
  ),
  checkers('eslint', [
    ...flags(
      '--quiet',
      '--cache',
      '--no-color',
      '--color',
      '-v --version',
      '-h --help',
      '--no-eslintrc',
      '--no-inline-config',
      '--debug',
      '--no-error-on-unmatched-pattern',
      '--report-unused-disable-directives',
      '--exit-on-fatal-error',
    ),
    ...warns(writes('.'), '--fix', '--fix-dry-run'),
    ...takes('text', '--ext', '--max-warnings', '--rule', '--env', '--global', '--ignore-pattern', '--fix-type'),
    ...takes(
      'code-file',
      '-c --config',
      '--parser',
      '-f --format',
      '--plugin',
      '--rulesdir',
      '--resolve-plugins-relative-to',
    ),
    ...takes('write', '-o --output-file', '--cache-file', '--cache-location'),
    ...takes('read', '--ignore-path'),
  ]),
  checkers('prettier', [
    ...flags(
      '-c --check',
      '-l --list-different',
      '--no-color',
      '--no-config',
      '--no-editorconfig',
      '-u --ignore-unknown',
      '--cache',
      '-v --version',
      '-h --help',
      '--single-quote',
      '--no-semi',
      '--use-tabs',
      '--no-error-on-unmatched-pattern',
    ),
    ...warns(writes('.'), '-w --write'),
    ...takes(
      'text',
      '--parser',
      '--print-width',
      '--tab-width',
      '--log-level',
      '--trailing-comma',
      '--end-of-line',
      '--stdin-filepath',
      '--prose-wrap',
    ),
    ...takes('code-file', '--config', '--plugin'),
    ...takes('read', '--ignore-path'),
  ]),
  ...[
    'jest',
    'vitest',
    'mocha',
    'playwright',
    'cypress',
    'vite',
    'webpack',
    'next',
    'rollup',
    'esbuild',
    'tsx',
    'ts-node',
    'nx',
    'turbo',
    'lerna',
    'rspack',
    'tsup',
    'tsdown',
    'nodemon',
    'pm2',
    'oxlint',
    'biome',
    'stylelint',
    'nyc',
    'c8',
  ].map((name) =>
    checkers(
      name,
      [
        ...flags(
          '--watch',
          '--coverage',
          '-v --version',
          '-h --help',
          '--verbose',
          '--silent',
          '--ci',
          '-i --runInBand',
          '--bail',
          '--run',
          '--no-color',
          '-u --update',
          '--passWithNoTests',
          '--quiet',
        ),
        ...takes(
          'text',
          '-t --testNamePattern',
          '--testPathPattern',
          '--project',
          '--reporter',
          '--grep',
          '-g',
          '--timeout',
        ),
        ...takes('code-file', '-c --config', '-r --require', '--setupFiles'),
        ...takes('write-tree', '--outDir', '--coverageDirectory'),
      ],
      'configuration, tests and scripts of the project',
    ),
  ),
];

export const javascriptTools: readonly ToolSpec[] = [
  node,
  deno,
  npm,
  tool('npx pnpx bunx', { grammar: 'getopt-posix', ...executes }),
  pnpm,
  yarn,
  bun,
  ...tools,
];
