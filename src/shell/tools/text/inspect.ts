import { alike, each, flags, maybe, takes, tool } from '../notation.ts';
import { argumentFiles } from '../languages/project-code.ts';
import type { ToolSpec } from '../types.ts';

const manual = flags('--help', '--version');

/** Programs that show files of the system's own formats, or calculate. None of them writes or runs anything. */
export const inspectTools: readonly ToolSpec[] = [
  tool('expr', { grammar: 'words', operands: each('text') }),
  tool('cal ncal', { grammar: 'words', operands: each('text') }),
  tool('getconf', { grammar: 'words', operands: each('text') }),
  tool('locale', {
    options: [...manual, ...flags('-a --all-locales', '-m --charmaps', '-c', '-k', '-v')],
    operands: each('text'),
  }),
  tool('last lastb', {
    options: [
      ...flags('-#', '-a', '-d', '-F', '-i', '-R', '-w', '-x'),
      ...takes('text', '-n', '-p', '-s', '-t'),
      ...takes('read', '-f'),
    ],
    operands: each('text'),
  }),
  tool('pstree', {
    options: [
      ...flags('-a', '-A', '-c', '-g', '-h', '-l', '-n', '-p', '-s', '-S', '-t', '-T', '-u', '-U', '-V'),
      ...takes('text', '-H', '-N'),
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
  tool('size', {
    options: [
      ...manual,
      ...flags('-A', '-B', '-G', '-d', '-o', '-x', '-t --totals', '--common'),
      ...takes('text', '--format', '--radix'),
    ],
    operands: each('read'),
  }),
  tool('nm', {
    options: [
      ...manual,
      ...flags('-a --debug-syms', '-A -o --print-file-name', '-D --dynamic', '-g --extern-only', '-l --line-numbers'),
      ...flags(
        '-n --numeric-sort',
        '-p --no-sort',
        '-P --portability',
        '-r --reverse-sort',
        '-S --print-size',
        '-u --undefined-only',
      ),
      ...flags('-C'),
      ...maybe('text', '--demangle'),
      ...flags('--defined-only', '--special-syms', '--synthetic', '--with-symbol-versions'),
      ...takes('text', '-f --format', '-t --radix'),
    ],
    operands: each('read'),
    // `--plugin` among them loads code.
    refine: (parsed) => ({ opaque: argumentFiles(parsed) }),
  }),
  tool('readelf', {
    options: [
      ...manual,
      ...flags(
        '-a --all',
        '-h --file-header',
        '-l --program-headers --segments',
        '-S --section-headers --sections',
        '-e --headers',
      ),
      ...flags(
        '-s --syms --symbols',
        '--dyn-syms',
        '-n --notes',
        '-r --relocs',
        '-u --unwind',
        '-d --dynamic',
        '-V --version-info',
      ),
      ...flags('-A --arch-specific', '-c --archive-index', '-W --wide', '-I --histogram', '-g --section-groups'),
      ...flags('-C'),
      ...maybe('text', '--demangle'),
      ...takes('text', '-x --hex-dump', '-p --string-dump'),
    ],
    operands: each('read'),
  }),
  tool('objdump', {
    options: [
      ...manual,
      ...flags('-a --archive-headers', '-f --file-headers', '-p --private-headers', '-h', '-x --all-headers'),
      ...flags(
        '-d --disassemble',
        '-D --disassemble-all',
        '-S --source',
        '-s --full-contents',
        '-t --syms',
        '-T --dynamic-syms',
      ),
      ...flags('-r --reloc', '-R --dynamic-reloc', '-w --wide', '-l --line-numbers'),
      ...flags('-C'),
      ...maybe('text', '--demangle'),
      ...takes('text', '-j --section', '-M --disassembler-options', '-m --architecture'),
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
    options: [...manual, ...flags('-l --long', '-r --regex', '-w --wildcard', '-d --debug')],
    operands: each('text'),
  }),
  tool('apropos', {
    options: [...manual, ...flags('-l --long', '-e --exact', '-r --regex', '-w --wildcard', '-a --and', '-d --debug')],
    operands: each('text'),
  }),
  tool('lastlog', { options: [...manual, ...takes('text', '-u --user', '-t --time', '-b --before')] }),
  tool('modinfo', {
    options: [
      ...manual,
      ...flags('-a --author', '-d --description', '-l --license', '-p --parameters', '-n --filename'),
    ],
    operands: each('read'),
  }),
  tool('namei', {
    options: [...manual, ...flags('-l --long', '-m --modes', '-o --owners', '-n --nosymlinks', '-v --vertical')],
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
  tool('c++filt', {
    options: [...manual, ...flags('-_ --strip-underscore', '-n --no-strip-underscore', '-p --no-params', '-t --types')],
    operands: each('text'),
  }),
  tool('addr2line', {
    options: [
      ...manual,
      ...flags('-a --addresses', '-f --functions', '-i --inlines', '-p --pretty-print', '-s --basenames', '-C'),
      ...maybe('text', '--demangle'),
      ...takes('read', '-e --exe'),
    ],
    operands: each('text'),
  }),
  tool('pdfinfo', {
    options: flags('-meta', '-box', '-isodates', '-rawdates', '-dests', '-struct', '-v', '-h'),
    grammar: 'long',
    operands: each('read'),
  }),
  tool('nvidia-smi', {
    options: [
      ...flags('-L --list-gpus', '-q --query'),
      ...maybe('text', '--query-gpu', '--format', '--query-compute-apps'),
    ],
  }),
];
