import type { Word } from '../../types.ts';
import { locationOfRemote } from '../hosts.ts';
import { each, flags, maybe, noSpan, opaqueEffect, takes, tool, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, ParsedArguments, ParsedOption, Refine, RefineContext, Refinement } from '../types.ts';
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
  ...warns(opaqueEffect('unknown-option', '`--remove-files` deletes the archived files'), '--remove-files'),
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
              message: 'the action of this `tar` is not clear',
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

export const tar = tool('tar gtar', { options, operands: each('text'), refine });

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
