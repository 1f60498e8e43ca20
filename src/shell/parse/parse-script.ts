import { parse, type Script as ParsedTree } from 'unbash';
import type { Opacity } from '../types.ts';
import { uncovered } from './coverage.ts';
import { payloadOpacity } from './hazards.ts';
import { type ParseBudget, createMeter, type Meter, type Script } from './meter.ts';
import { markJobs } from './jobs.ts';
import { settleWords } from './settled.ts';
import { visit } from './visit.ts';
import { openSource, walkSyntax, type WalkFindings, type NodePlace } from './walk.ts';

export interface ScriptOptions {
  readonly budget?: Partial<ParseBudget>;
  /** The remainder of a shared budget. Replaces `budget`. */
  readonly meter?: Meter;
  /** Number of scripts around this one. Default: 0. */
  readonly depth?: number;
  /** `posix`: any shell may read the text, so constructs that only bash knows are opaque. Default: `bash`. */
  readonly language?: 'bash' | 'posix';
}

/**
 * UTF-16 code units of one text. The parser cannot be interrupted, so its input must be short. It reads the slowest
 * inputs of this length in about ten milliseconds.
 */
const longest = 32_768;
/** Parsing here-documents costs the square of their number. */
const mostHereDocuments = 500;
/** Nested expansions are read again at every level. */
const mostExpansions = 1000;

/**
 * Parses a bash text: every command that it would run, in the order of the text, with substitutions in their places.
 * Total: accepts any string. Text that cannot be read or accounted for is in `opaque`. If `opaque` has entries, the
 * list may lack commands.
 */
export function parseScript(
  text: string,
  { budget, meter = createMeter(budget), depth = 0, language = 'bash' }: ScriptOptions = {},
): Script {
  const findings: WalkFindings = {
    invocations: [],
    defined: new Set(),
    opaque: [],
    sources: [],
    shells: [undefined],
    loops: [],
    payloads: [],
    calculates: false,
    language,
  };
  const whole = { start: 0, end: text.length };
  const over = (message: string): void => void findings.opaque.push({ kind: 'budget', message, span: whole });
  if (
    text.length > longest ||
    count(text, /<</gu) > mostHereDocuments ||
    count(text, /[$<>]\(|\$[{[]|`/gu) > mostExpansions
  )
    over('the text is too long to be read');
  else if (!meter.script(depth)) over('scripts within scripts are nested too deep');
  else {
    findings.opaque.push(...hiddenCharacters(text), ...danglingBackslash(text));
    if (!attempt(isDangling(text) ? text.slice(0, -1) : text, depth, { findings, meter }))
      over('the text costs too much to be read');
  }
  const { defined, shells } = findings;
  return {
    invocations: markJobs(text, settleWords(text, findings), defined),
    defined,
    opaque: distinct(findings),
    shells,
  };
}

/**
 * A trailing backslash in a text of several lines. Attack: bash drops it there, and keeps it in a text of one line
 * (seen with 5.2). So a final `git push --force\` runs `git push --force`.
 */
function isDangling(text: string): boolean {
  let at = text.length;
  while (text[at - 1] === '\\') at -= 1;
  return (text.length - at) % 2 === 1 && text.includes('\n');
}

function danglingBackslash(text: string): readonly Opacity[] {
  return isDangling(text)
    ? [
        {
          kind: 'uncovered',
          message: 'a backslash at the end of the text is not read alike by all shells',
          span: { start: text.length - 1, end: text.length },
        },
      ]
    : [];
}

const start: Omit<NodePlace, 'source' | 'depth'> = {
  parent: undefined,
  relation: 'script',
  runs: 'always',
  stdin: { kind: 'inherited' },
  shell: 0,
  after: 'any',
  position: 'list',
  nesting: 'plain',
  quotes: 'quotes',
};

/**
 * Whether the text was read to its end. The parser is recursive: it may fail on deep nesting, and must not crash the
 * caller.
 */
function attempt(
  text: string,
  depth: number,
  { findings, meter }: { readonly findings: WalkFindings; readonly meter: Meter },
): boolean {
  try {
    if (!meter.spend(text.length >> 3)) return false;
    const tree: ParsedTree = parse(text);
    const source = openSource(text);
    findings.sources.push(source);
    const finished = walkSyntax(tree, { ...start, source, depth }, { findings, meter, visit });
    if (finished) findings.opaque.push(...findings.sources.flatMap(lost));
    return finished;
  } catch {
    return false;
  }
}

function lost({ text, stands, coverage }: WalkFindings['sources'][number]): readonly Opacity[] {
  const at = uncovered(text, coverage);
  if (at === undefined) return [];
  return [
    {
      kind: 'uncovered',
      message: `\`${text.slice(at, at + 20)}\` is not accounted for`,
      span: stands ?? { start: at, end: at + 1 },
    },
  ];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Words that hide a command matter only if something evaluates them. Reports each reason once. */
function distinct({ opaque, calculates, payloads }: WalkFindings): readonly Opacity[] {
  const all = calculates ? [...opaque, ...payloads.map(payloadOpacity)] : opaque;
  return all.length < 2
    ? all
    : [...new Map(all.map((reason) => [`${reason.kind} ${reason.message}`, reason])).values()];
}

/** Returns at most one character that a person does not see, or that the shell reads differently than it looks. */
function hiddenCharacters(text: string): readonly Opacity[] {
  const at = plain.test(text) ? -1 : firstHidden(text);
  if (at < 0) return [];
  const code = text.codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return [
    {
      kind: 'syntax',
      message: `the command holds a hidden character, ${name}`,
      span: { start: at, end: at + (code > 0xff_ff ? 2 : 1) },
    },
  ];
}

const plain = /^[\t\n\x20-\x7e]*$/u;

/**
 * For the shell, a carriage return is part of a word. For a reader, it ends the line. Spaces of other scripts do not
 * separate words.
 */
const hidden = /[^\P{C}\t\n]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{2800}\u{FFFC}]|[^\P{Zs} ]/gu;

/** Needed in messages with emoji and in Persian. These exceptions are visible, so they hide nothing. */
const shown =
  /(?<=\p{Emoji})\u{FE0F}|(?<=\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?)\u{200D}(?=\p{Extended_Pictographic})|(?<=\p{Script=Arabic})\u{200C}(?=\p{Script=Arabic})/gu;

function firstHidden(text: string): number {
  const allowed = new Set([...text.matchAll(shown)].map(({ index }) => index));
  for (const { index } of text.matchAll(hidden)) if (!allowed.has(index)) return index;
  return -1;
}
