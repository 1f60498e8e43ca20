import type { Word } from '../../types.ts';
import { each, flags, maybe, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { hasOption } from '../parsed-options.ts';

/** `a.txt` becomes `a.txt.gz` and is gone, unless the result goes to the output or the original is kept. */
const replaces =
  (...suffixes: readonly string[]): Refine =>
  (parsed, context) => {
    if (hasOption(parsed, '--stdout', '--list', '--test') && !hasOption(parsed, '--rm')) return {};
    const files = parsed.operands;
    if (parsed.options.some(({ spec }) => spec.deep === true))
      return {
        writes: files.flatMap((word) => (['write', 'delete'] as const).map((use) => context.path(word, use, 'tree'))),
      };
    return {
      writes: files.flatMap((word) => [
        ...suffixes.map((suffix) => context.path(renamed(word, suffix), 'write', 'file')),
        ...(hasOption(parsed, '--keep') ? [] : [context.path(word, 'delete', 'file')]),
      ]),
    };
  };

const common = flags(
  '-c --stdout --to-stdout',
  '-d --decompress --uncompress',
  '-f --force',
  '-k --keep',
  '-l --list',
  '-q --quiet',
  '-t --test',
  '-v --verbose',
  '-#',
  '--fast',
  '--best',
  '-V --version',
  '-h --help',
);

export const compressors: readonly ToolSpec[] = [
  tool('gzip gunzip', {
    options: [
      ...common,
      ...flags('-n --no-name', '-N --name', '--rsyncable', '-r --recursive').map((option) =>
        option.names.includes('-r') ? { ...option, deep: true as const } : option,
      ),
      ...takes('text', '-S --suffix'),
    ],
    operands: each('read'),
    refine: replaces('.gz'),
  }),
  tool('bzip2 bunzip2', {
    options: [...common, ...flags('-z --compress', '-s --small')],
    operands: each('read'),
    refine: replaces('.bz2'),
  }),
  tool('xz unxz lzma unlzma', {
    options: [
      ...common,
      ...flags('-z --compress', '-e --extreme', '--no-sparse', '--single-stream', '--robot'),
      ...takes('text', '-F --format', '-C --check', '-T --threads', '-M --memlimit', '-S --suffix'),
    ],
    operands: each('read'),
    refine: replaces('.xz'),
  }),
  tool('zstd unzstd', {
    options: [
      ...common,
      ...flags(
        '-z --compress',
        '--rm',
        '-r',
        '--ultra',
        '--no-progress',
        '--no-check',
        '--check',
        '--sparse',
        '--no-sparse',
      ),
      ...maybe('text', '--long', '--fast', '-T --threads', '--adapt'),
      ...takes('read', '-D'),
      ...takes('write', '-o'),
      ...takes('write-tree', '--output-dir-flat'),
    ].filter((option, place, all) => all.findIndex(({ names }) => names[0] === option.names[0]) === place),
    operands: each('read'),
    refine: (parsed, context) =>
      hasOption(parsed, '-o', '--output-dir-flat')
        ? {}
        : replaces('.zst')(
            {
              ...parsed,
              options: hasOption(parsed, '--rm')
                ? parsed.options
                : [...parsed.options, { spec: { names: ['--keep'] }, spelled: '--keep' }],
            },
            context,
          ),
  }),
  tool('zcat bzcat xzcat zstdcat gzcat lz4cat', {
    options: flags('-f --force', '-q --quiet', '-v --verbose', '-V --version', '-h --help', '-l --list', '-t --test'),
    operands: each('read'),
  }),
];

function renamed(word: Word, suffix: string): Word {
  if (word.kind !== 'static') return word;
  return { ...word, value: word.value.endsWith(suffix) ? word.value.slice(0, -suffix.length) : word.value + suffix };
}
