import { alike, each, fetchesUrls, flags, looksUpWith, maybe, takes, tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

const manual = flags('--help', '--version');

/** Programs that show files of the system's own formats, or calculate. None of them writes or runs anything. */
export const inspectTools: readonly ToolSpec[] = [
  tool('expr', { grammar: 'words', operands: each('text') }),
  ...alike('cal ncal getopt', { grammar: 'words', operands: each('text') }),
  tool('getconf', { grammar: 'words', operands: each('text') }),
  tool('locale', {
    options: [...manual, ...flags('-a --all-locales', '-m --charmaps', '-c', '-k', '-v')],
    operands: each('text'),
  }),
  tool('last lastb', {
    options: [
      ...flags('-#', '-a --hostlast', '-d --dns', '-F --fulltimes', '-i --ip', '-R --nohostname', '-w --fullnames'),
      ...flags('-x --system', '-h --help', '-V --version'),
      ...takes('text', '-n --limit', '-p --present', '-s --since', '-t --until', '--time-format'),
      ...takes('read', '-f --file'),
    ],
    operands: each('text'),
    refine: looksUpWith('--dns'),
  }),
  tool('pstree', {
    options: [
      ...flags(
        '-a --arguments',
        '-A --ascii',
        '-c --compact-not',
        '-g --show-pgids',
        '-h --highlight-all',
        '-l --long',
      ),
      ...flags('-n --numeric-sort', '-p --show-pids', '-s --show-parents', '-S --ns-changes', '-t --thread-names'),
      ...flags('-T --hide-threads', '-u --uid-changes', '-U --unicode', '-G --vt100', '-V --version'),
      ...takes('text', '-H --highlight-pid', '-N --ns-sort', '-C --color'),
    ],
    operands: each('text'),
  }),
  tool('bc', {
    options: [
      ...manual,
      ...flags('-h', '-i --interactive', '-l --mathlib', '-q --quiet', '-s --standard', '-w --warn', '-v'),
    ],
    operands: each('read'),
  }),
  tool('iconv', {
    options: [
      ...manual,
      ...flags('-c', '-s --silent', '-l --list', '--verbose'),
      ...takes('text', '-f --from-code', '-t --to-code'),
      ...takes('write', '-o --output'),
    ],
    operands: each('read'),
  }),
  ...alike('eza exa', {
    options: [
      ...flags(
        '-1 --oneline',
        '-G --grid',
        '-l --long',
        '-R --recurse',
        '-T --tree',
        '-x --across',
        '-a --all',
        '-A --almost-all',
      ),
      ...flags(
        '-d --list-dirs',
        '-r --reverse',
        '-D --only-dirs',
        '-f --only-files',
        '-b --binary',
        '-B --bytes',
        '-g --group',
        '-h --header',
      ),
      ...flags(
        '-H --links',
        '-i --inode',
        '-m --modified',
        '-S --blocksize',
        '-u --accessed',
        '-U --created',
        '-@ --extended',
        '--icons',
      ),
      ...flags(
        '--git',
        '--git-ignore',
        '--group-directories-first',
        '--no-permissions',
        '--no-user',
        '--no-time',
        '--no-filesize',
      ),
      ...takes('text', '-L --level', '-s --sort', '-I --ignore-glob', '-t --time', '--time-style'),
      ...maybe('text', '--color --colour', '-F --classify'),
    ],
    operands: { kind: 'each', role: 'read', absent: '.' },
  }),
  tool('lsd', {
    options: [
      ...flags(
        '-1 --oneline',
        '-l --long',
        '-R --recursive',
        '--tree',
        '-a --all',
        '-A --almost-all',
        '-d --directory-only',
        '-r --reverse',
      ),
      ...flags(
        '-h --human-readable',
        '-t --timesort',
        '-S --sizesort',
        '-X --extensionsort',
        '-G --git',
        '-F --classify',
        '-i --inode',
      ),
      ...takes(
        'text',
        '--depth',
        '--icon',
        '--color',
        '--sort',
        '--date',
        '--size',
        '--group-dirs',
        '-I --ignore-glob',
        '--blocks',
      ),
    ],
    operands: { kind: 'each', role: 'read', absent: '.' },
  }),
  tool('whatis', {
    options: [
      ...manual,
      ...flags('-l --long', '-r --regex', '-w --wildcard', '-d --debug'),
      ...takes('text', '-s --sections --section'),
    ],
    operands: each('text'),
  }),
  tool('apropos', {
    options: [
      ...manual,
      ...flags('-l --long', '-e --exact', '-r --regex', '-w --wildcard', '-a --and', '-d --debug'),
      ...takes('text', '-s --sections --section'),
    ],
    operands: each('text'),
  }),
  tool('lastlog', { options: [...manual, ...takes('text', '-u --user', '-t --time', '-b --before')] }),
  tool('modinfo', {
    options: [
      ...manual,
      ...flags('-a --author', '-d --description', '-l --license', '-p --parameters', '-n --filename'),
      ...takes('text', '-F --field'),
    ],
    operands: each('read'),
  }),
  tool('namei', {
    options: [
      ...manual,
      ...flags('-l --long', '-m --modes', '-o --owners', '-n --nosymlinks', '-v --vertical'),
      ...flags('-x --mountpoints', '-h', '-V'),
    ],
    operands: each('read'),
  }),
  tool('getfacl', {
    options: [
      ...manual,
      ...flags('-a --access', '-d --default', '-c --omit-header', '-e --all-effective', '-n --numeric'),
    ],
    operands: each('read'),
  }),
  tool('getcap', { options: flags('-n', '-v', '-r', '-h'), operands: each('read-tree') }),
  tool('lsattr', {
    options: flags('-R', '-V', '-a', '-d', '-l', '-p', '-v'),
    operands: { kind: 'each', role: 'read', absent: '.' },
  }),
  tool('pdfinfo', {
    options: [
      ...flags(
        '-meta',
        '-box',
        '-isodates',
        '-rawdates',
        '-dests',
        '-struct',
        '-struct-text',
        '-js',
        '-url',
        '-v',
        '-h',
      ),
      ...takes('text', '-f', '-l', '-enc', '-opw', '-upw'),
    ],
    grammar: 'long',
    operands: each('read'),
    // Some builds of poppler do.
    refine: fetchesUrls,
  }),
  tool('nvidia-smi', {
    options: [
      ...flags('-L --list-gpus', '-q --query'),
      ...maybe('text', '--query-gpu', '--format', '--query-compute-apps'),
    ],
  }),
];
