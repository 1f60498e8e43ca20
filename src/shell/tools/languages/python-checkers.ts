import {
  alike,
  each,
  toolFamily,
  flags,
  opaqueEffect,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';

/** Options with which the files are only read. */
const unchanged = (...spellings: readonly string[]): readonly OptionSpec[] =>
  flags(...spellings).map((option) => ({ ...option, operands: { kind: 'each', role: 'read-tree', absent: '.' } }));

const checker = (
  names: string,
  options: readonly OptionSpec[],
  what = 'tests, plugins and configuration of the project',
): ToolSpec => tool(names, { options, operands: each('read-tree'), always: repositoryCode(what) });

export const checkers: readonly ToolSpec[] = [
  checker('pytest py.test', [
    ...flags(
      '-q --quiet',
      '-v --verbose',
      '-x --exitfirst',
      '-s',
      '-l --showlocals',
      '--lf --last-failed',
      '--ff --failed-first',
      '--co --collect-only',
      '--sw --stepwise',
      '--no-header',
      '--no-summary',
      '--fixtures',
      '--markers',
      '--strict-markers',
      '--cache-clear',
      '-h --help',
      '-V --version',
      '--setup-show',
      '--no-cov',
      '--pdb',
    ),
    ...takes(
      'text',
      '-k',
      '-m',
      '-r',
      '--maxfail',
      '--tb',
      '--durations',
      '--color',
      '--capture',
      '-n --numprocesses',
      '--deselect',
      '--timeout',
      '--import-mode',
      '-W',
      '-o --override-ini',
      '--cov-report',
      '--verbosity',
    ),
    ...takes('read-tree', '--ignore', '--rootdir', '--confcutdir', '--cov'),
    ...takes('write', '--junitxml --junit-xml'),
    ...takes('write-tree', '--basetemp'),
    ...takes('code-file', '-c --config-file'),
    ...warnsTaking(opaqueEffect('inline-code', '`-p` loads a module'), '-p'),
  ]),
  checker(
    'mypy',
    [
      ...flags(
        '--strict',
        '--ignore-missing-imports',
        '--pretty',
        '--show-error-codes',
        '--no-incremental',
        '--no-error-summary',
        '-V --version',
        '-h --help',
        '--check-untyped-defs',
        '-v --verbose',
      ),
      ...takes(
        'text',
        '--python-version',
        '--platform',
        '--exclude',
        '--follow-imports',
        '-m --module',
        '-p --package',
        '--disable-error-code',
      ),
      ...takes('code-file', '--config-file'),
      ...takes('write-tree', '--cache-dir', '--html-report'),
      ...takes('program', '--python-executable'),
      ...warns(opaqueEffect('inline-code', '`--install-types` installs packages'), '--install-types'),
      ...takes('code', '-c --command'),
    ],
    'plugins that the configuration of the project names',
  ),
  tool('black', {
    options: [
      ...flags('-q --quiet', '-v --verbose', '--version', '-h --help', '--fast', '-S --skip-string-normalization'),
      ...takes('text', '-l --line-length', '-t --target-version', '--exclude', '--include'),
      ...takes('read', '--config'),
      ...unchanged('--check', '--diff'),
    ],
    operands: each('write-tree'),
    // It keeps a list of the files that need no change, unless it shows the changes.
    refine: (parsed, { path }) =>
      hasOption(parsed, '--check') && !hasOption(parsed, '--diff')
        ? { writes: [path({ ...staticWord('/.cache/black'), lead: 'home' }, 'write', 'tree')] }
        : {},
  }),
  tool('isort', {
    options: [
      ...flags('-q --quiet', '-v --verbose', '--version', '-h --help', '--atomic', '--gitignore'),
      ...takes('text', '--profile', '-l --line-length', '-s --skip'),
      ...takes('read-tree', '--settings-path'),
      ...unchanged('-c --check-only --check', '-d --diff'),
    ],
    operands: each('write-tree'),
  }),
  ...alike('autopep8 yapf', {
    options: [
      ...flags('-d --diff', '-v --verbose', '--version', '-h --help', '-r --recursive', '-p --parallel', '-q --quiet'),
      ...takes('text', '--max-line-length', '--style', '--exclude'),
      { names: ['-i', '--in-place'], operands: each('write-tree') },
    ],
    operands: each('read-tree'),
  }),
  checker(
    'tox nox coverage pylint flake8 bandit pre-commit',
    [...flags('-q', '-v', '-h --help', '--version', '-p', '--all-files -a'), ...takes('text', '-e --env', '-k', '-j')],
    'environments, plugins and tests of the project',
  ),
];

export const ruff = toolFamily(
  'ruff',
  [
    tool('check', {
      options: [
        ...flags(
          '--diff',
          '--no-cache',
          '-q --quiet',
          '-v --verbose',
          '--statistics',
          '-w --watch',
          '-n',
          '--exit-zero',
          '--show-files',
          '--preview',
          '--no-fix',
          '--show-settings',
        ),
        ...warns(writes('.'), '--fix', '--unsafe-fixes', '--fix-only', '--add-noqa'),
        ...takes(
          'text',
          '--select',
          '--ignore',
          '--extend-select',
          '--output-format',
          '--target-version',
          '--line-length',
          '--exclude',
          '--stdin-filename',
        ),
        ...takes('read', '--config'),
        ...takes('write', '-o --output-file'),
        ...takes('write-tree', '--cache-dir'),
      ],
      operands: { kind: 'each', role: 'read-tree', absent: '.' },
    }),
    tool('format', {
      options: [
        ...flags('-q --quiet', '-v --verbose', '-n --no-cache', '--preview'),
        ...unchanged('--check', '--diff'),
        ...takes('text', '--line-length', '--target-version', '--exclude', '--stdin-filename'),
        ...takes('read', '--config'),
      ],
      operands: { kind: 'each', role: 'write-tree', absent: '.' },
    }),
    tool('rule linter version config clean', { options: flags('--all'), operands: each('text') }),
  ],
  { options: flags('-V --version', '-h --help', '-q --quiet', '-v --verbose') },
);
