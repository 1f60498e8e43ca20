import { each, flags, inOrder, maybe, takes } from '../notation.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { gnu, namesFiles } from './gnu.ts';

const readsLists = (names: string): OptionSpec => ({
  names: [names],
  value: 'required',
  role: 'read',
  effect: namesFiles,
});
const reader = (names: string, ...options: readonly (readonly OptionSpec[])[]): ToolSpec =>
  gnu(names, { operands: each('read'), options: options.flat() });

const listing: readonly OptionSpec[] = [
  ...flags(
    '-a --all',
    '-A --almost-all',
    '--author',
    '-b --escape',
    '-B --ignore-backups',
    '-c',
    '-C',
    '-d --directory',
    '-D --dired',
    '-f',
    '--file-type',
    '--full-time',
    '-g',
  ),
  ...flags(
    '--group-directories-first',
    '-G --no-group',
    '-h --human-readable',
    '--si',
    '-H --dereference-command-line',
    '--dereference-command-line-symlink-to-dir',
    '-i --inode',
    '-k --kibibytes',
  ),
  ...flags(
    '-l',
    '-L --dereference',
    '-m',
    '-n --numeric-uid-gid',
    '-N --literal',
    '-o',
    '-p',
    '-q --hide-control-chars',
    '--show-control-chars',
    '-Q --quote-name',
    '-r --reverse',
    '-s --size',
  ),
  ...flags('-S', '-t', '-u', '-U', '-v', '-x', '-X', '-Z --context', '--zero', '-1', '-F'),
  ...takes(
    'text',
    '--block-size',
    '--format',
    '--hide',
    '--indicator-style',
    '-I --ignore',
    '--quoting-style',
    '--sort',
    '--time',
    '--time-style',
    '-T --tabsize',
    '-w --width',
  ),
  ...maybe('text', '--color', '--classify', '--hyperlink'),
  { names: ['-R', '--recursive'], deep: true },
];
const ls = gnu('ls', { dash: 'file', operands: { kind: 'each', role: 'read', absent: '.' }, options: listing });

const stat = reader(
  'stat',
  flags('-L --dereference', '-f --file-system', '-t --terse'),
  takes('text', '--cached', '-c --format', '--printf'),
);
const cat = reader(
  'cat',
  flags(
    '-A --show-all',
    '-b --number-nonblank',
    '-e',
    '-E --show-ends',
    '-n --number',
    '-s --squeeze-blank',
    '-t',
    '-T --show-tabs',
    '-u',
    '-v --show-nonprinting',
  ),
);
const tac = reader('tac', flags('-b --before', '-r --regex'), takes('text', '-s --separator'));
const head = reader(
  'head',
  flags('-#', '-q --quiet --silent', '-v --verbose', '-z --zero-terminated'),
  takes('text', '-c --bytes', '-n --lines'),
);
const tail = reader(
  'tail',
  flags('-#', '-f', '-F', '-q --quiet --silent', '--retry', '-v --verbose', '-z --zero-terminated'),
  maybe('text', '--follow'),
  takes('text', '-c --bytes', '-n --lines', '--max-unchanged-stats', '--pid', '-s --sleep-interval'),
);
const wc = reader('wc', flags('-c --bytes', '-m --chars', '-l --lines', '-L --max-line-length', '-w --words'), [
  readsLists('--files0-from'),
]);

const du = gnu('du', {
  dash: 'file',
  operands: { kind: 'each', role: 'read-tree', absent: '.' },
  options: [
    ...flags(
      '-0 --null',
      '-a --all',
      '--apparent-size',
      '-b --bytes',
      '-c --total',
      '-D --dereference-args',
      '-H',
      '-h --human-readable',
      '--inodes',
      '-k',
      '-L --dereference',
      '-l --count-links',
    ),
    ...flags('-m', '-P --no-dereference', '-S --separate-dirs', '--si', '-s --summarize', '-x --one-file-system'),
    ...takes('text', '-B --block-size', '-d --max-depth', '-t --threshold', '--time-style', '--exclude'),
    ...maybe('text', '--time'),
    ...takes('read', '-X --exclude-from'),
    readsLists('--files0-from'),
  ],
});
const df = reader(
  'df',
  flags(
    '-a --all',
    '-h --human-readable',
    '-H --si',
    '-i --inodes',
    '-k',
    '-l --local',
    '--no-sync',
    '-P --portability',
    '--sync',
    '--total',
    '-T --print-type',
    '-v',
  ),
  takes('text', '-B --block-size', '-t --type', '-x --exclude-type'),
  maybe('text', '--output'),
);

const nl = reader(
  'nl',
  flags('-p --no-renumber'),
  takes(
    'text',
    '-b --body-numbering',
    '-d --section-delimiter',
    '-f --footer-numbering',
    '-h --header-numbering',
    '-i --line-increment',
  ),
  takes(
    'text',
    '-l --join-blank-lines',
    '-n --number-format',
    '-s --number-separator',
    '-v --starting-line-number',
    '-w --number-width',
  ),
);
const od = reader(
  'od',
  flags('-a', '-b', '-c', '-d', '-f', '-i', '-l', '-o', '-s', '-x', '-v --output-duplicates', '--traditional'),
  takes('text', '-A --address-radix', '--endian', '-j --skip-bytes', '-N --read-bytes', '-S', '-t --format'),
  maybe('text', '--strings', '-w --width'),
);
const encoders = ['base64', 'base32'].map((name) =>
  reader(name, flags('-d --decode', '-i --ignore-garbage'), takes('text', '-w --wrap')),
);
const basenc = reader(
  'basenc',
  flags(
    '--base64',
    '--base64url',
    '--base32',
    '--base32hex',
    '--base16',
    '--base2msbf',
    '--base2lsbf',
    '--z85',
    '-d --decode',
    '-i --ignore-garbage',
  ),
  takes('text', '-w --wrap'),
);

const checks: readonly OptionSpec[] = [
  { names: ['-c', '--check'], effect: namesFiles },
  ...flags(
    '-b --binary',
    '--tag',
    '-t --text',
    '-z --zero',
    '--ignore-missing',
    '--quiet',
    '--status',
    '--strict',
    '-w --warn',
  ),
];
const sums = ['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum'].map((name) =>
  reader(name, checks),
);
const b2sum = reader('b2sum', checks, takes('text', '-l --length'));
const cksum = reader(
  'cksum',
  [{ names: ['-c', '--check'], effect: namesFiles }],
  flags(
    '--tag',
    '--untagged',
    '-z --zero',
    '--ignore-missing',
    '--quiet',
    '--status',
    '--strict',
    '-w --warn',
    '--debug',
  ),
  takes('text', '-a --algorithm', '-l --length'),
);
const sum = reader('sum', flags('-r', '-s --sysv'));

const realpath = reader(
  'realpath',
  flags(
    '-e --canonicalize-existing',
    '-m --canonicalize-missing',
    '-L --logical',
    '-P --physical',
    '-q --quiet',
    '-s --strip --no-symlinks',
    '-z --zero',
  ),
  takes('text', '--relative-to', '--relative-base'),
);
const readlink = reader(
  'readlink',
  flags(
    '-f --canonicalize',
    '-e --canonicalize-existing',
    '-m --canonicalize-missing',
    '-n --no-newline',
    '-q --quiet',
    '-s --silent',
    '-v --verbose',
    '-z --zero',
  ),
);
const dircolors = gnu('dircolors', {
  operands: inOrder(['read']),
  options: flags('-b --sh --bourne-shell', '-c --csh --c-shell', '-p --print-database', '--print-ls-colors'),
});

/** For files listed in another file, `wc` reveals only their length. */
const anyOption = [
  ls,
  { ...ls, names: ['dir'] },
  { ...ls, names: ['vdir'] },
  stat,
  cat,
  tac,
  head,
  tail,
  wc,
  nl,
  od,
  ...encoders,
  sum,
  realpath,
  readlink,
].map((spec) => ({ ...spec, anyOption: 'harmless' }) as const);

export const showTools: readonly ToolSpec[] = [...anyOption, du, df, basenc, ...sums, b2sum, cksum, dircolors];
