import type { Opacity, PathEffect, Word } from '../../types.ts';
import { each, flags, inOrder, takes, tool } from '../notation.ts';
import type { Refine, RefineContext, ToolSpec } from '../types.ts';
import { mayBeOption, wordAsTyped, plainText } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

interface JqOption {
  /** Number of following words. */
  readonly values: number;
  /** Role of the last one. Default: a text. */
  readonly last?: 'file';
}

const plainJqOptions =
  '--compact-output --raw-output --raw-output0 --raw-input --null-input --slurp --ascii-output --color-output --monochrome-output --sort-keys --tab --join-output --exit-status --unbuffered --seq --stream --help --version --args --jsonargs';
const jqOptions: ReadonlyMap<string, JqOption> = new Map([
  ...plainJqOptions.split(' ').map((name) => [name, { values: 0 }] as const),
  ['--indent', { values: 1 }],
  ['--arg', { values: 2 }],
  ['--argjson', { values: 2 }],
  ['--slurpfile', { values: 2, last: 'file' }],
  ['--rawfile', { values: 2, last: 'file' }],
  ['--from-file', { values: 0 }],
  ['-f', { values: 0 }],
] as readonly (readonly [string, JqOption])[]);

/** Some of its options take two words, which the tables cannot express. */
const refineJq: Refine = ({ operands: words }, context) => {
  const reader: JqReader = {
    words,
    at: 0,
    path: context.path,
    reads: [],
    opaque: [],
    operands: [],
    hasFilter: false,
    argumentsFrom: Infinity,
  };
  while (reader.at < words.length) readJqWord(reader);
  const filter = reader.hasFilter ? undefined : reader.operands[0];
  // With `-f`, the filter's file is the first operand wherever `-f` is. Newer versions take the word after it.
  const files = reader.hasFilter ? reader.operands : reader.operands.slice(1, reader.argumentsFrom);
  for (const word of files) readJqFile(reader, word);
  return { reads: reader.reads, opaque: [...reader.opaque, ...filterReasons(filter)] };
};

interface JqReader {
  readonly words: readonly Word[];
  at: number;
  readonly path: RefineContext['path'];
  readonly reads: PathEffect[];
  readonly opaque: Opacity[];
  operands: Word[];
  hasFilter: boolean;
  /** The operands after `--args` are texts. */
  argumentsFrom: number;
}

function readJqWord(reader: JqReader): void {
  const word = reader.words[reader.at++] as Word;
  const text = plainText(word);
  if (text === '--') {
    reader.operands = [...reader.operands, ...reader.words.slice(reader.at)];
    reader.at = reader.words.length;
  } else if (!mayBeOption(word) || text === '-') reader.operands.push(word);
  else if (text === undefined || !/^-[nrRsSjaceCMhV]+$/u.test(text)) readJqOption(reader, word, text);
}

function readJqOption(reader: JqReader, word: Word, text: string | undefined): void {
  const option = text === undefined ? undefined : jqOptions.get(text);
  if (option === undefined) {
    reader.opaque.push({
      kind: text === undefined ? 'dynamic-word' : 'unknown-option',
      message: `\`${wordAsTyped(word)}\` is no option of \`jq\` that is known`,
      span: word.span,
    });
    return;
  }
  if (text === '--args' || text === '--jsonargs')
    reader.argumentsFrom = Math.min(reader.argumentsFrom, reader.operands.length);
  reader.at += option.values;
  const file = reader.words[reader.at - 1];
  if (option.last === 'file' && file !== undefined) readJqFile(reader, file);
  if (text !== '-f' && text !== '--from-file') return;
  reader.hasFilter = true;
  // A program of jq only reads.
  reader.opaque.push({
    kind: 'repository-code',
    message: `\`jq ${text}\` runs a file`,
    span: word.span,
    atMost: 'reads',
  });
}

/** A file with an unknown path is reported as such. */
function readJqFile(reader: JqReader, word: Word): void {
  const effect = reader.path(word, 'read', 'file');
  reader.reads.push(effect);
  if (effect.path === undefined)
    reader.opaque.push({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` of \`jq\` is no file that is known`,
      span: word.span,
    });
}

/** Modules are files. */
function filterReasons(filter: Word | undefined): readonly Opacity[] {
  if (filter === undefined) return [];
  const text = plainText(filter);
  if (text === undefined)
    return [
      {
        kind: 'dynamic-word',
        message: `the filter \`${wordAsTyped(filter)}\` of \`jq\` is not known`,
        span: filter.span,
      },
    ];
  return /\b(?:import|include|modulemeta|get_search_list)\b/u.test(text)
    ? [{ kind: 'dynamic-word', message: 'the filter of `jq` includes files', span: filter.span }]
    : [];
}

const jq = tool('jq gojq jaq', { grammar: 'words', operands: each('text'), refine: refineJq });

/** The program in Go has verbs, which the one in Python takes for an expression that fails. */
const isVerb = (word: Word | undefined): boolean => /^(?:e|eval|ea|eval-all)$/u.test(plainText(word) ?? '');

/** Two programs have this name. Only their common meaning is here. */
const readsByExpression: Refine = ({ operands, options }, { path }) => {
  const [filter, ...files] = isVerb(operands[0]) ? operands.slice(1) : operands;
  const isInPlace = hasOption({ options }, '--in-place');
  const text = filter === undefined ? '' : plainText(filter);
  const isPlain =
    text !== undefined &&
    !/(?<![\w.$-])(?:load\w*|system|(?:str)?env(?:subst)?|import|include|inputs?(?:_\w+)?|split_doc|modulemeta|eval)\b|\$__loc__|\$ENV/u.test(
      text,
    ) &&
    !/^(?:shell-completion|completion)$/u.test(text);
  return {
    // The program in Go takes the first word for a file if one has that name.
    writes: isInPlace ? inPlaceFiles(filter, files).map((word) => path(word, 'write', 'file')) : [],
    opaque:
      isPlain || filter === undefined
        ? []
        : [
            {
              kind: 'inline-code',
              message: `the expression \`${wordAsTyped(filter)}\` of \`yq\` may read more than its files`,
              span: filter.span,
            },
          ],
  };
};
function inPlaceFiles(filter: Word | undefined, files: readonly Word[]): readonly Word[] {
  return files.length > 0 || filter === undefined ? files : [filter];
}

const yq = tool('yq tomlq xq', {
  operands: inOrder(['text'], 'read'),
  options: [
    ...flags('-r --raw-output', '-i --in-place', '-h --help', '--version', '-e --exit-status', '-n --null-input'),
    ...flags('-P --prettyPrint', '-C --colors', '-M --no-colors', '-N --no-doc', '-c', '-y', '-Y', '-j'),
    ...takes('text', '-o --output-format', '-p --input-format', '-I --indent'),
  ],
  refine: readsByExpression,
});

export const queryTools: readonly ToolSpec[] = [jq, yq];
