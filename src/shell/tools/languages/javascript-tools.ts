import { each, flags, reads, repositoryCode, takes, tool, toolFamily, warns, writes } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { staticWord, wordAsTyped } from '../words.ts';
import { argumentFiles } from './project-code.ts';

/** Their configuration is code, or names modules that are. */
const checkers = (
  names: string,
  options: readonly OptionSpec[],
  what = 'configuration and plugins of the project',
): ToolSpec => tool(names, { options, operands: each('text'), always: [reads('.'), ...repositoryCode(what)] });

/**
 * Plugins that tsconfig.json names run only in editors. A word `false` turns off the option before it. Attack: with
 * `--noEmit` too, `incremental` in tsconfig.json writes a file wherever `tsBuildInfoFile` says (tried with 7.0).
 */
const emits: Refine = (parsed, { path }) => {
  const isQuiet = hasOption(parsed, '--showConfig', '--listFilesOnly', '--version', '--help', '--all');
  const isKept = hasOption(parsed, '--incremental', '--composite', '--build', '--init');
  const isTurnedOff = parsed.operands.some((word) => /^(?:true|false|null)$/iu.test(wordAsTyped(word)));
  return {
    opaque: argumentFiles(parsed),
    writes: isQuiet && !isKept && !isTurnedOff ? [] : [path(staticWord('.'), 'write', 'tree')],
  };
};

export const developmentTools: readonly ToolSpec[] = [
  tool('tsc', {
    options: [
      ...flags(
        '--noEmit',
        '--listFilesOnly',
        '--composite',
        '--noUnusedLocals',
        '--noUnusedParameters',
        '--checkJs',
        '--allowJs',
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
    operands: each('text'),
    always: [reads('.')],
    refine: emits,
  }),
  toolFamily(
    'biome',
    [
      tool('check lint format ci', {
        options: [
          ...flags('--verbose', '--error-on-warnings', '--no-errors-on-unmatched', '--changed', '--staged'),
          ...takes('text', '--max-diagnostics', '--diagnostic-level', '--reporter', '--only', '--skip', '--since'),
          ...takes('text', '--colors', '--log-level'),
          ...takes('read-tree', '--config-path'),
          ...flags('--write', '--fix', '--apply', '--apply-unsafe', '--unsafe').map((option) => ({
            ...option,
            operands: { kind: 'each', role: 'write-tree', absent: '.' } as const,
          })),
        ],
        operands: { kind: 'each', role: 'read-tree', absent: '.' },
      }),
      tool('version explain', { operands: each('text') }),
    ],
    { options: flags('-V --version', '-h --help') },
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
