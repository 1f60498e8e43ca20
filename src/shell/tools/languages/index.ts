/**
 * Interpreters, compilers and the tools of languages. Specifications and their refinements only: nothing is looked up
 * on the machine.
 */
import {
  each,
  toolFamily,
  flags,
  inOrder,
  opaqueEffect,
  reaches,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  whenBare,
  writes,
} from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { compiledTools } from './compiled.ts';
import { javascriptTools } from './javascript.ts';
import { pythonTools } from './python.ts';
import { interpreters } from './interpreters.ts';

const gems = reaches('rubygems.org');

const gemOptions = flags('-a --all', '-l --local', '-d --details', '-e --exact', '-i --installed', '-q --quiet');

const managers: readonly ToolSpec[] = [
  toolFamily(
    'gem',
    [
      tool('list info which environment env contents dependency specification stale help', {
        options: [...gemOptions, ...warns(gems, '-r --remote', '-b --both', '-u --update-sources')],
        operands: each('text'),
      }),
      tool('search outdated', {
        options: [...gemOptions, ...flags('-r --remote')],
        operands: each('text'),
        always: [gems],
      }),
      tool('install update uninstall', {
        options: [
          ...flags(
            '-N --no-document',
            '-f --force',
            '--user-install',
            '-q --quiet',
            '--conservative',
            '-x',
            '-a',
            '-I',
          ),
          ...takes('text', '-v --version', '-P --trust-policy'),
          ...takes('write-tree', '-i --install-dir', '-n --bindir'),
          ...takes('url', '-s --source'),
        ],
        operands: each('text'),
        always: [gems, opaqueEffect('inline-code', 'installs packages, whose extensions are built')],
      }),
    ],
    { options: flags('-v --version', '-h --help') },
  ),
  toolFamily(
    'bundle bundler',
    [
      tool('list show info check outdated', {
        options: flags('--paths', '--path', '--quiet', '--local'),
        operands: each('text'),
        always: repositoryCode('the Gemfile, which is code'),
      }),
      tool('install update add lock', {
        options: [
          ...flags('--quiet', '--local', '--deployment', '--frozen', '--full-index', '--no-cache'),
          ...takes('text', '-j --jobs', '--retry', '--without', '--with'),
          ...takes('write-tree', '--path'),
        ],
        operands: each('text'),
        always: [gems, writes('.'), ...repositoryCode('the Gemfile and extensions of packages')],
      }),
      tool('exec', {
        grammar: 'words',
        operands: inOrder(['command']),
        always: repositoryCode('the Gemfile, which is code'),
      }),
    ],
    // Alone, it is `bundle install`.
    { options: flags('-v --version', '-h --help'), refine: whenBare('the Gemfile and extensions of packages') },
  ),
  tool('rake', {
    options: [
      ...flags(
        '-T --tasks',
        '-P --prereqs',
        '-n --dry-run',
        '-q --quiet',
        '-s --silent',
        '-v --verbose',
        '-V --version',
        '-t --trace',
        '-m --multitask',
        '-A --all',
      ),
      ...takes('text', '-j --jobs'),
      ...takes('code-file', '-f --rakefile', '-r --require'),
      ...takes('code', '-e --execute', '-E --execute-continue', '-p --execute-print'),
      ...takes('read-tree', '-I --libdir'),
    ],
    operands: each('text'),
    always: repositoryCode('the Rakefile of the project'),
  }),
  tool('rspec rubocop', {
    options: [
      ...flags(
        '--fail-fast',
        '--color',
        '--no-color',
        '-v --version',
        '-h --help',
        '-a --autocorrect',
        '-A --autocorrect-all',
        '-P --parallel',
        '--only-failures',
      ),
      ...takes('text', '-e --example', '-t --tag', '-f --format', '--seed', '--only'),
      ...takes('code-file', '-r --require', '-c --config', '-O --options'),
      ...takes('write', '-o --out'),
    ],
    operands: each('read-tree'),
    always: repositoryCode('tests and configuration of the project'),
  }),
  toolFamily(
    'composer',
    [
      tool('show info outdated validate licenses', {
        options: flags('-i --installed', '-D --direct', '-t --tree', '-a --all', '--no-plugins'),
        operands: each('text'),
        always: [reads('.'), ...repositoryCode('plugins of the project')],
      }),
      tool('install update require remove run-script exec dump-autoload create-project', {
        options: [
          ...flags(
            '--no-dev',
            '--dev',
            '--no-scripts',
            '--no-plugins',
            '-n --no-interaction',
            '-q --quiet',
            '--prefer-dist',
            '-o --optimize-autoloader',
            '-W --with-all-dependencies',
          ),
          ...takes('directory', '-d --working-dir'),
        ],
        operands: each('text'),
        always: [reaches('repo.packagist.org'), writes('.'), ...repositoryCode('plugins and scripts of the project')],
      }),
    ],
    { options: flags('-V --version', '-n --no-interaction', '-q --quiet'), refine: whenBare('plugins of the project') },
  ),
];

const scriptingTools: readonly ToolSpec[] = [...interpreters, ...managers];

export const languagesTools: readonly ToolSpec[] = [
  ...javascriptTools,
  ...pythonTools,
  ...compiledTools,
  ...scriptingTools,
];
