/**
 * Programs that pack, unpack and compress. Specifications and their refinements only: nothing is looked up on the
 * machine.
 */
import type { Word } from '../../types.ts';
import { locationOfRemote } from '../hosts.ts';
import { each, flags, inOrder, maybe, noSpan, opaqueEffect, takes, tool, warns, warnsTaking } from '../notation.ts';
import type {
  OptionSpec,
  ParsedArguments,
  ParsedOption,
  Refine,
  RefineContext,
  Refinement,
  ToolSpec,
} from '../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';

const modes = [
  '-c --create',
  '-x --extract --get',
  '-t --list',
  '-r --append',
  '-u --update',
  '-A --catenate --concatenate',
  '-d --diff --compare',
] as const;

const options: readonly OptionSpec[] = [
  ...flags(...modes),
  ...flags(
    '-z --gzip --gunzip --ungzip',
    '-j --bzip2',
    '-J --xz',
    '--lzma',
    '--lzip',
    '--lzop',
    '--zstd',
    '-Z --compress --uncompress',
    '-a --auto-compress',
    '--no-auto-compress',
    '-v --verbose',
    '-k --keep-old-files',
    '--skip-old-files',
    '--keep-newer-files',
    '--overwrite',
    '--no-overwrite-dir',
    '-U --unlink-first',
    '-p --preserve-permissions --same-permissions',
    '--no-same-permissions',
    '--same-owner',
    '-o --no-same-owner',
    '-m --touch',
    '-O --to-stdout',
    '-h --dereference',
    '--hard-dereference',
    '-S --sparse',
    '-W --verify',
    '--no-recursion',
    '--recursion',
    '--one-file-system',
    '--numeric-owner',
    '-n --seek',
    '-i --ignore-zeros',
    '--wildcards',
    '--no-wildcards',
    '--anchored',
    '--no-anchored',
    '--exclude-vcs',
    '--exclude-vcs-ignores',
    '--exclude-backups',
    '--exclude-caches',
    '--totals',
    '--utc',
    '--full-time',
    '-B --read-full-records',
    '--no-null',
    '--show-transformed-names --show-stored-names',
    '--delay-directory-restore',
    '--no-delay-directory-restore',
    '--posix',
    '--old-archive --portability',
    '-R --block-number',
    '--warning',
    '--quote-chars',
    '--force-local',
    '--version',
    '--help',
  ),
  ...takes(
    'text',
    '-f --file',
    '-C --directory',
    '--exclude',
    '--strip-components',
    '--transform --xform',
    '-b --blocking-factor',
    '--format -H',
    '--owner',
    '--group',
    '--mode',
    '--mtime',
    '--sort',
    '-N --newer --after-date',
    '--newer-mtime',
    '--pax-option',
    '--label -V',
    '--record-size',
    '--level',
    '--quoting-style',
    '--exclude-tag',
    '--exclude-tag-all',
    '--checkpoint-action',
    '--exclude-ignore',
    '--suffix',
  ),
  ...maybe('text', '--checkpoint', '--one-top-level', '--atime-preserve', '--occurrence', '--backup'),
  ...takes('read', '-X --exclude-from'),
  ...takes('write', '-g --listed-incremental', '--index-file', '--volno-file'),
  ...takes('program', '-I --use-compress-program', '--rsh-command', '--rmt-command'),
  ...takes('script', '--to-command', '-F --info-script --new-volume-script'),
  ...warns(
    opaqueEffect('unknown-option', '`--absolute-names` extracts outside of the directory'),
    '-P --absolute-names',
  ),
  ...warns(opaqueEffect('unknown-option', '`--remove-files` deletes what was archived'), '--remove-files'),
  ...warns(
    opaqueEffect('unknown-option', '`--recursive-unlink` deletes directories that are in the way'),
    '--recursive-unlink',
    '--delete',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--files-from` takes options from a file too'), '-T --files-from'),
];

const modeOf = (parsed: ParsedArguments): string | undefined => {
  const names = new Set(modes.flatMap((each) => each.split(' ')));
  return parsed.options
    .map(({ spec, spelled }) => (names.has(spelled) ? spec.names[0] : undefined))
    .find((name) => name !== undefined);
};

const refine: Refine = (given, context) => {
  const parsed = withOldStyle(given);
  const mode = parsed === undefined ? undefined : modeOf(parsed);
  if (parsed === undefined || mode === undefined)
    return isQuestion(given)
      ? {}
      : {
          opaque: [
            {
              kind: 'unknown-option',
              message: 'what this `tar` does is not clear',
              span: given.operands[0]?.span ?? noSpan,
            },
          ],
        };
  const archive = archiveEffects(parsed, mode, context);
  const contents = contentEffects(parsed, mode, context);
  const actions = valuesOf(parsed, '--checkpoint-action').flatMap(checkpoint);
  const [, second] = valuesOf(parsed, '--directory');
  return {
    ...contents,
    reads: [...(archive.reads ?? []), ...(contents.reads ?? [])],
    writes: [...(archive.writes ?? []), ...(contents.writes ?? [])],
    hosts: archive.hosts ?? [],
    scripts: actions,
    opaque:
      second === undefined
        ? []
        : [{ kind: 'unknown-option', message: 'several `-C` are not followed', span: second.span }],
  };
};

const isQuestion = (parsed: ParsedArguments): boolean =>
  parsed.options.some(({ spelled }) => spelled === '--version' || spelled === '--help');

const valuesOf = (parsed: ParsedArguments, name: string): readonly Word[] =>
  parsed.options.flatMap(({ spec, value }) => (spec.names.includes(name) && value !== undefined ? [value] : []));

const tar = tool('tar gtar', { options, operands: each('text'), refine });

const has = (parsed: ParsedArguments, ...names: readonly string[]): boolean =>
  parsed.options.some(({ spec }) => spec.names.some((name) => names.includes(name)));

/** `a.txt` becomes `a.txt.gz` and is gone, unless the result goes to the output or the original is kept. */
const replaces =
  (...suffixes: readonly string[]): Refine =>
  (parsed, context) => {
    if (has(parsed, '--stdout', '--list', '--test')) return {};
    const files = parsed.operands;
    if (parsed.options.some(({ spec }) => spec.deep === true))
      return {
        writes: files.flatMap((word) => (['write', 'delete'] as const).map((use) => context.path(word, use, 'tree'))),
      };
    return {
      writes: files.flatMap((word) => [
        ...suffixes.map((suffix) => context.path(renamed(word, suffix), 'write', 'file')),
        ...(has(parsed, '--keep') ? [] : [context.path(word, 'delete', 'file')]),
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

const compressors: readonly ToolSpec[] = [
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
      has(parsed, '-o', '--output-dir-flat')
        ? {}
        : replaces('.zst')(
            {
              ...parsed,
              options: has(parsed, '--rm')
                ? parsed.options
                : [...parsed.options, { spec: { names: ['--keep'] }, spelled: '--keep' }],
            },
            context,
          ),
  }),
  tool('zcat bzcat xzcat zstdcat gzcat', {
    options: flags('-f --force', '-q --quiet', '-v --verbose', '-V --version', '-h --help'),
    operands: each('read'),
  }),
];

const containers: readonly ToolSpec[] = [
  tool('zip', {
    options: [
      ...flags(
        '-r',
        '-q',
        '-v',
        '-j',
        '-u',
        '-f',
        '-D',
        '-X',
        '-y',
        '-9',
        '-0',
        '-1',
        '-6',
        '-e',
        '-o',
        '-g',
        '-h',
      ).map((option) => (option.names.includes('-r') ? { ...option, deep: true as const } : option)),
      ...takes('text', '-x', '-i', '-P', '-n', '-s', '-t'),
      ...takes('write-tree', '-b'),
      ...warns(opaqueEffect('inline-code', '`-T` runs an unpacker, which `-TT` or `$UNZIP` names'), '-T'),
      ...warns(opaqueEffect('unknown-option', '`-m` deletes what was packed'), '-m --move'),
      ...warns(opaqueEffect('stdin-code', '`-@` takes names from the input'), '-@'),
    ],
    operands: inOrder(['write'], 'read'),
  }),
  tool('unzip', {
    options: [
      ...flags(
        '-l',
        '-t',
        '-v',
        '-Z',
        '-p',
        '-c',
        '-o',
        '-n',
        '-q',
        '-u',
        '-f',
        '-j',
        '-a',
        '-L',
        '-C',
        '-B',
        '-X',
        '-K',
        '-V',
        '-z',
        '-h',
      ),
      ...takes('text', '-x', '-P', '-O'),
      ...takes('write-tree', '-d'),
    ],
    operands: inOrder(['read'], 'text'),
    refine: (parsed, context) =>
      has(parsed, '-l', '-t', '-v', '-Z', '-p', '-c', '-z', '-d', '-h') || parsed.operands.length === 0
        ? {}
        : { writes: [context.path(staticWord('.'), 'write', 'tree')] },
  }),
  tool('zipinfo', {
    options: flags('-1', '-2', '-s', '-m', '-l', '-v', '-h', '-t', '-z'),
    operands: inOrder(['read'], 'text'),
  }),
];

const members: readonly ToolSpec[] = [
  tool('7z 7za 7zr', {
    grammar: 'words',
    operands: inOrder(['text', 'read'], 'text'),
    refine: (parsed, context) => {
      const [verb, archive, ...rest] = parsed.operands;
      const command = verb?.kind === 'static' ? verb.value : '';
      const switches = rest.filter((word) => word.kind !== 'static' || word.value.startsWith('-'));
      const unknown = switches.map(
        (word) => ({ kind: 'unknown-option', message: 'a switch of `7z` is not known', span: word.span }) as const,
      );
      if (command === 'l' || command === 't') return { opaque: unknown };
      const here = staticWord('.');
      if (command === 'x' || command === 'e') return { opaque: unknown, writes: [context.path(here, 'write', 'tree')] };
      if (command === 'a' && archive !== undefined)
        return {
          opaque: unknown,
          writes: [context.path(archive, 'write', 'file')],
          reads: rest.filter((word) => !switches.includes(word)).map((word) => context.path(word, 'read', 'tree')),
        };
      return {
        opaque: [
          { kind: 'unknown-option', message: 'this command of `7z` is not known', span: verb?.span ?? here.span },
        ],
      };
    },
  }),
  tool('cpio', {
    options: [
      ...flags(
        '-t --list',
        '-v --verbose',
        '-d --make-directories',
        '-m --preserve-modification-time',
        '-u --unconditional',
        '-0 --null',
        '-B',
        '-c',
        '--quiet',
        '-n --numeric-uid-gid',
        '--no-absolute-filenames',
        '-o --create',
      ),
      ...takes('text', '-H --format', '-C --io-size'),
      ...takes('read', '-I'),
      ...takes('write', '-O'),
      ...takes('write-tree', '-D --directory'),
      ...takes('program', '--rsh-command'),
      ...warns({ kind: 'writes', path: '.', scope: 'tree' }, '-i --extract'),
      ...warns(
        opaqueEffect('unknown-option', '`--pass-through` copies to where its operand says'),
        '-p --pass-through',
      ),
    ],
    operands: each('text'),
  }),
  tool('ar', {
    grammar: 'words',
    operands: each('text'),
    refine: (parsed, context) => {
      const [letters, archive, ...files] = parsed.operands;
      const text = letters?.kind === 'static' ? letters.value.replace(/^-/u, '') : '';
      if (archive === undefined || !/^[tpxrqdcsvuDU]+$/u.test(text))
        return {
          opaque: [
            { kind: 'unknown-option', message: 'these letters of `ar` are not known', span: letters?.span ?? noSpan },
          ],
        };
      const here = staticWord('.');
      if (/[tp]/u.test(text)) return { reads: [context.path(archive, 'read', 'file')] };
      if (text.includes('x'))
        return { reads: [context.path(archive, 'read', 'file')], writes: [context.path(here, 'write', 'tree')] };
      return {
        writes: [context.path(archive, 'write', 'file')],
        reads: files.map((word) => context.path(word, 'read', 'file')),
      };
    },
  }),
];

const compressionTools: readonly ToolSpec[] = [...compressors, ...containers, ...members];

export const archivesTools: readonly ToolSpec[] = [tar, ...compressionTools];

/** `tar xzf a.tgz`: letters without a dash, whose values follow in their order. */
function withOldStyle(parsed: ParsedArguments): ParsedArguments | undefined {
  const [first, ...rest] = parsed.operands;
  if (modeOf(parsed) !== undefined || first === undefined) return parsed;
  if (wordAsTyped(first).length > 64) return undefined;
  const found: ParsedOption[] = [];
  for (const letter of plainText(first) ?? '-') {
    const spec = options.find(({ names }) => names.includes(`-${letter}`));
    if (spec === undefined || spec.effect !== undefined || (spec.role !== undefined && spec.role !== 'text'))
      return undefined;
    const value = spec.value === 'required' ? rest.shift() : undefined;
    if (spec.value === 'required' && value === undefined) return undefined;
    found.push({ spec, spelled: `-${letter}`, ...(value === undefined ? {} : { value }) });
  }
  return { options: [...found, ...parsed.options], operands: rest, unknown: parsed.unknown };
}

/** `exec=` runs a shell text each time; CVE lists and GTFOBins name it first. A dynamic word counts as one. */
function checkpoint(value: Word): readonly Word[] {
  const text = plainText(value);
  if (text === undefined) return [value];
  return text.startsWith('exec=') ? [staticWord(text.slice(5), value.span)] : [];
}

/** `host:file` is an archive on another machine, unless a slash comes first. */
function archiveEffects(parsed: ParsedArguments, mode: string, context: RefineContext): Refinement {
  const isLocal = parsed.options.some(({ spelled }) => spelled === '--force-local');
  const all = valuesOf(parsed, '--file').filter((word) => plainText(word) !== '-');
  const hosts = all.flatMap((word) => {
    const where = isLocal ? undefined : locationOfRemote(wordAsTyped(word));
    return where?.kind === 'host' ? [where.host] : [];
  });
  if (hosts.length > 0) return { hosts };
  if (mode === '-x' || mode === '-t' || mode === '-d')
    return { reads: all.map((word) => context.path(word, 'read', 'file')) };
  return { writes: all.map((word) => context.path(word, 'write', 'file')) };
}

function contentEffects(parsed: ParsedArguments, mode: string, context: RefineContext): Refinement {
  const directory = valuesOf(parsed, '--directory').at(-1);
  if (mode === '-t') return {};
  if (mode === '-x')
    return parsed.options.some(({ spec }) => spec.names.includes('--to-stdout') || spec.names.includes('--to-command'))
      ? {}
      : { writes: [context.path(directory ?? staticWord('.'), 'write', 'tree')] };
  return { reads: parsed.operands.map((word) => context.path(below(directory, word), 'read', 'tree')) };
}

function below(directory: Word | undefined, word: Word): Word {
  if (directory === undefined || wordAsTyped(word).startsWith('/')) return word;
  if (directory.kind !== 'static' || word.kind !== 'static')
    return {
      kind: 'dynamic',
      text: `${wordAsTyped(directory)}/${wordAsTyped(word)}`,
      because: 'expansion',
      span: word.span,
    };
  return { ...directory, value: `${directory.value}/${word.value}` };
}

function renamed(word: Word, suffix: string): Word {
  if (word.kind !== 'static') return word;
  return { ...word, value: word.value.endsWith(suffix) ? word.value.slice(0, -suffix.length) : word.value + suffix };
}
