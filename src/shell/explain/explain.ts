import type {
  AnalysedInvocation,
  Analysis,
  Effects,
  HostEffect,
  Invocation,
  Opacity,
  PathEffect,
  Word,
} from '../types.ts';

export interface ExplainOptions {
  /** Further lines about an invocation, such as its decision. Default: none. */
  readonly notes?: (invocation: AnalysedInvocation) => readonly string[];
}

/** Indentation of one level. */
const step = '  ';

/**
 * Returns an analysis as a tree for people. Each command has one line under the command that runs it. Below are its
 * effects and the reasons why it is not understood. Ends with a line break; empty for a text without commands. All of
 * it is printable.
 */
export function explainAnalysis(analysis: Analysis, { notes = () => [] }: ExplainOptions = {}): string {
  const whole = analysis.opaque.map((reason) => `not understood: ${reasonText(reason)}`);
  const depths = depthsOf(analysis.invocations);
  const lines = analysis.invocations.flatMap((invocation, place) => {
    const indent = step.repeat(depths[place] ?? 0);
    const details = [...detailsOf(invocation), ...notes(invocation).map(printableText)];
    return [`${indent}${headline(invocation)}`, ...details.map((line) => `${indent}${step}${step}${line}`)];
  });
  return [...whole, ...lines].map((line) => `${line}\n`).join('');
}

function depthsOf(invocations: readonly Invocation[]): readonly number[] {
  const depths: number[] = [];
  for (const { parent } of invocations) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1);
  return depths;
}

function headline({ argv, assignments, relation, runs }: Invocation): string {
  const words = [
    ...assignments.map(({ name, value }) => `${printableText(name)}=${quotedWord(value)}`),
    ...argv.map(quotedWord),
  ].join(' ');
  const how = [
    ...(relation === 'substitution' ? ['its output is part of the command above'] : []),
    ...(runs === 'conditional' ? ['may not run'] : []),
  ];
  return `${words === '' ? '(no command)' : words}${how.length === 0 ? '' : `   (${how.join('; ')})`}`;
}

function detailsOf({ effects, cwd }: AnalysedInvocation): readonly string[] {
  return [
    ...(cwd === 'unknown' ? ['in a directory that is not known'] : []),
    ...effectLines(effects),
    ...effects.opaque.map((reason) => `not understood: ${reasonText(reason)}`),
  ];
}

function effectLines({ reads, writes, runs, hosts }: Effects): readonly string[] {
  return [
    ...reads.map((path) => `reads ${pathText(path)}`),
    ...writes.map((path) => `${path.use === 'delete' ? 'deletes' : 'writes'} ${pathText(path)}`),
    ...runs.map(
      ({ kind, what }) => `runs ${printableText(what)}${kind === 'repository-code' ? ' of the project' : ''}`,
    ),
    ...hosts.map((host) => `reaches ${hostText(host)}`),
  ];
}

function pathText({ path, text, scope }: PathEffect): string {
  return `${printableText(path ?? `${text} (not known where)`)}${scope === 'tree' ? ' and everything below' : ''}`;
}

function hostText({ host, port, text }: HostEffect): string {
  return host === undefined
    ? `a host that is not known (${printableText(text)})`
    : printableText(port === undefined ? host : `${host}:${port}`);
}

function reasonText({ kind, message }: Opacity): string {
  return `${printableText(message)} [${kind}]`;
}

/** Returns a word as it could be typed. Unknown words stay as written. */
export function quotedWord(word: Word): string {
  if (word.kind !== 'static') return printableText(word.text);
  const text = printableText(word.value);
  if (word.lead === 'home') return `~${bare.test(text) || text === '' ? text : inQuotes(text)}`;
  return bare.test(text) ? text : inQuotes(text);
}

const bare = /^[\w@%+=:,./-]+$/u;

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a text for one line, with every character visible. Line breaks would forge a line of the explanation, escapes
 * would repaint it, and unusual blanks would split words.
 */
export function printableText(text: string): string {
  return /^[\x20-\x7e]*$/u.test(text)
    ? text
    : text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;
