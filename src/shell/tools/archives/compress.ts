import type { Word } from '../../types.ts';
import { each, flags, inOrder, maybe, noSpan, opaque, takes, tool, warns } from '../notation.ts';
import type { ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';

const has = (parsed: ParsedArguments, ...names: readonly string[]): boolean => parsed.options.some(({ spec }) => spec.names.some((name) => names.includes(name)));

/** `a.txt` becomes `a.txt.gz` and is gone, unless the result goes to the output or the original is kept. */
const replaces =
  (...suffixes: readonly string[]): Refine =>
  (parsed, context) => {
    if (has(parsed, '--stdout', '--list', '--test')) return {};
    const files = parsed.operands;
    if (parsed.options.some(({ spec }) => spec.deep === true)) return { writes: files.flatMap((word) => (['write', 'delete'] as const).map((use) => context.path(word, use, 'tree'))) };
    return { writes: files.flatMap((word) => [...suffixes.map((suffix) => context.path(renamed(word, suffix), 'write', 'file')), ...(has(parsed, '--keep') ? [] : [context.path(word, 'delete', 'file')])]) };
  };

function renamed(word: Word, suffix: string): Word {
  if (word.kind !== 'static') return word;
  return { ...word, value: word.value.endsWith(suffix) ? word.value.slice(0, -suffix.length) : word.value + suffix };
}

const common = flags('-c --stdout --to-stdout', '-d --decompress --uncompress', '-f --force', '-k --keep', '-l --list', '-q --quiet', '-t --test', '-v --verbose', '-#', '--fast', '--best', '-V --version', '-h --help');

const compressors: readonly ToolSpec[] = [
  tool('gzip gunzip', { options: [...common, ...flags('-n --no-name', '-N --name', '--rsyncable', '-r --recursive').map((option) => (option.names.includes('-r') ? { ...option, deep: true as const } : option)), ...takes('text', '-S --suffix')], operands: each('read'), refine: replaces('.gz') }),
  tool('bzip2 bunzip2', { options: [...common, ...flags('-z --compress', '-s --small')], operands: each('read'), refine: replaces('.bz2') }),
  tool('xz unxz lzma unlzma', { options: [...common, ...flags('-z --compress', '-e --extreme', '--no-sparse', '--single-stream', '--robot'), ...takes('text', '-F --format', '-C --check', '-T --threads', '-M --memlimit', '-S --suffix')], operands: each('read'), refine: replaces('.xz') }),
  tool('zstd unzstd', {
    options: [...common, ...flags('-z --compress', '--rm', '-r', '--ultra', '--no-progress', '--no-check', '--check', '--sparse', '--no-sparse'), ...maybe('text', '--long', '--fast', '-T --threads', '--adapt'), ...takes('read', '-D'), ...takes('write', '-o'), ...takes('write-tree', '--output-dir-flat')].filter((option, place, all) => all.findIndex(({ names }) => names[0] === option.names[0]) === place),
    operands: each('read'),
    refine: (parsed, context) => (has(parsed, '-o', '--output-dir-flat') ? {} : replaces('.zst')({ ...parsed, options: has(parsed, '--rm') ? parsed.options : [...parsed.options, { spec: { names: ['--keep'] }, spelled: '--keep' }] }, context)),
  }),
  tool('zcat bzcat xzcat zstdcat gzcat', { options: flags('-f --force', '-q --quiet', '-v --verbose', '-V --version', '-h --help'), operands: each('read') }),
];

const containers: readonly ToolSpec[] = [
  tool('zip', {
    options: [
      ...flags('-r', '-q', '-v', '-j', '-u', '-f', '-D', '-X', '-y', '-9', '-0', '-1', '-6', '-e', '-o', '-g', '-h').map((option) => (option.names.includes('-r') ? { ...option, deep: true as const } : option)),
      ...takes('text', '-x', '-i', '-P', '-n', '-s', '-t'),
      ...takes('write-tree', '-b'),
      ...warns(opaque('inline-code', '`-T` runs an unpacker, which `-TT` or `$UNZIP` names'), '-T'),
      ...warns(opaque('unknown-option', '`-m` deletes what was packed'), '-m --move'),
      ...warns(opaque('stdin-code', '`-@` takes names from the input'), '-@'),
    ],
    operands: inOrder(['write'], 'read'),
  }),
  tool('unzip', {
    options: [...flags('-l', '-t', '-v', '-Z', '-p', '-c', '-o', '-n', '-q', '-u', '-f', '-j', '-a', '-L', '-C', '-B', '-X', '-K', '-V', '-z', '-h'), ...takes('text', '-x', '-P', '-O'), ...takes('write-tree', '-d')],
    operands: inOrder(['read'], 'text'),
    refine: (parsed, context) => (has(parsed, '-l', '-t', '-v', '-Z', '-p', '-c', '-z', '-d', '-h') || parsed.operands.length === 0 ? {} : { writes: [context.path(staticWord('.'), 'write', 'tree')] }),
  }),
  tool('zipinfo', { options: flags('-1', '-2', '-s', '-m', '-l', '-v', '-h', '-t', '-z'), operands: inOrder(['read'], 'text') }),
];

const members: readonly ToolSpec[] = [
  tool('7z 7za 7zr', {
    grammar: 'words',
    operands: inOrder(['text', 'read'], 'text'),
    refine: (parsed, context) => {
      const [verb, archive, ...rest] = parsed.operands;
      const command = verb?.kind === 'static' ? verb.value : '';
      const switches = rest.filter((word) => word.kind !== 'static' || word.value.startsWith('-'));
      const unknown = switches.map((word) => ({ kind: 'unknown-option', message: 'a switch of `7z` is not known', span: word.span }) as const);
      if (command === 'l' || command === 't') return { opaque: unknown };
      const here = staticWord('.');
      if (command === 'x' || command === 'e') return { opaque: unknown, writes: [context.path(here, 'write', 'tree')] };
      if (command === 'a' && archive !== undefined) return { opaque: unknown, writes: [context.path(archive, 'write', 'file')], reads: rest.filter((word) => !switches.includes(word)).map((word) => context.path(word, 'read', 'tree')) };
      return { opaque: [{ kind: 'unknown-option', message: 'this command of `7z` is not known', span: verb?.span ?? here.span }] };
    },
  }),
  tool('cpio', {
    options: [
      ...flags('-t --list', '-v --verbose', '-d --make-directories', '-m --preserve-modification-time', '-u --unconditional', '-0 --null', '-B', '-c', '--quiet', '-n --numeric-uid-gid', '--no-absolute-filenames', '-o --create'),
      ...takes('text', '-H --format', '-C --io-size'),
      ...takes('read', '-I'),
      ...takes('write', '-O'),
      ...takes('write-tree', '-D --directory'),
      ...takes('program', '--rsh-command'),
      ...warns({ kind: 'writes', path: '.', scope: 'tree' }, '-i --extract'),
      ...warns(opaque('unknown-option', '`--pass-through` copies to where its operand says'), '-p --pass-through'),
    ],
    operands: each('text'),
  }),
  tool('ar', {
    grammar: 'words',
    operands: each('text'),
    refine: (parsed, context) => {
      const [letters, archive, ...files] = parsed.operands;
      const text = letters?.kind === 'static' ? letters.value.replace(/^-/u, '') : '';
      if (archive === undefined || !/^[tpxrqdcsvuDU]+$/u.test(text)) return { opaque: [{ kind: 'unknown-option', message: 'these letters of `ar` are not known', span: letters?.span ?? noSpan }] };
      const here = staticWord('.');
      if (/[tp]/u.test(text)) return { reads: [context.path(archive, 'read', 'file')] };
      if (text.includes('x')) return { reads: [context.path(archive, 'read', 'file')], writes: [context.path(here, 'write', 'tree')] };
      return { writes: [context.path(archive, 'write', 'file')], reads: files.map((word) => context.path(word, 'read', 'file')) };
    },
  }),
];

export const compressionTools: readonly ToolSpec[] = [...compressors, ...containers, ...members];
