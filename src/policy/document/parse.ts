import { parse, TomlError } from 'smol-toml';
import { safeParse } from 'valibot';
import { findHidden } from '../../text/filter/reject.ts';
import { features } from '../features/index.ts';
import { patternLanguages } from '../features/merge.ts';
import type { PatternProblem } from '../patterns/command-pattern.ts';
import type { LayerKind } from '../verdict.ts';
import { tryExamples } from './examples.ts';
import { scanLines } from './lines.ts';
import { patternParsers } from './pattern-parsers.ts';
import { placeFindings } from './place-findings.ts';
import type { DocumentFinding, Problem } from './problem.ts';
import { quantityFindings } from './quantity-findings.ts';
import { reachFindings } from './reach-findings.ts';
import { ruleFindings } from './rule-findings.ts';
import { schemaFinding } from './schema-issues.ts';
import { policySchema } from './schema.ts';
import { nearest } from './suggest.ts';
import { lineOf, type PolicyDocument, type PolicyValue } from './types.ts';

export interface ParseOptions {
  /** The path shown in problems and verdicts. */
  readonly file: string;
  /** The layer of the text. If given, statements that this layer may not make are also problems. */
  readonly kind?: LayerKind;
}

export type ParsedPolicy =
  | { readonly kind: 'document'; readonly document: PolicyDocument }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** A real policy has a few kilobytes. A project's file must be treated as hostile. */
const largestText = 1 << 20;
const mostProblems = 100;

const languages = patternLanguages(features);

interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** Parses a policy, or returns all its problems. Never throws because of the text. */
export function parsePolicy(text: string, options: ParseOptions): ParsedPolicy {
  if (text.length > largestText) return problemsOf([tooLarge(text.length, options.file)]);
  const hidden = hiddenCharacters(text, options.file);
  if (hidden.length > 0) return problemsOf(hidden);
  const parsed = parseToml(text, options.file);
  if (parsed.kind === 'problem') return problemsOf([parsed.problem]);
  const lines = scanLines(text);
  const locate = locator(options.file, lines);
  const unknown = unknownKeys(policySchema, parsed.value);
  const result = safeParse(policySchema, parsed.value);
  if (!result.success) return problemsOf([...unknown, ...result.issues.flatMap(schemaFinding)].map(locate));
  const value: PolicyValue = result.output;
  const found = findings(value, options.kind);
  return found.length > 0
    ? problemsOf(found.map(locate))
    : { kind: 'document', document: { file: options.file, value, lines } };
}

function parseToml(
  text: string,
  file: string,
): { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'problem'; readonly problem: Problem } {
  try {
    return { kind: 'value', value: parse(text, { maxDepth: 16, unsafeKeyBehaviour: 'throw' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = tomlMessage(error, text);
    return {
      kind: 'problem',
      problem: {
        code: 'HF_POLICY_INVALID',
        file,
        line: error.line,
        message: `not valid TOML: ${message}`,
        remedy: `correct the text at column ${error.column}`,
      },
    };
  }
}

function tomlMessage({ message, line, column }: TomlError, text: string): string {
  // The parser calls the end of the line a control character.
  if (message.includes('control characters') && column > (text.split('\n')[line - 1] ?? '').length)
    return 'a text has no closing quote';
  return (message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
}

/** A text that looks different from its bytes is an attack on its reviewers (Trojan Source, CVE-2021-42574). */
function hiddenCharacters(text: string, file: string): readonly Problem[] {
  if (findHidden(text, 'code') === undefined) return [];
  return text.split('\n', mostLines).flatMap((line, index): readonly Problem[] => {
    const found = findHidden(line.replace(/\r$/u, ''), 'code');
    if (found === undefined) return [];
    return [
      {
        code: 'HF_POLICY_INVALID',
        file,
        line: index + 1,
        message: `the policy contains the invisible character ${found.what}`,
        remedy: 'remove it, or write it as an escape in a quoted text',
      },
    ];
  });
}

const mostLines = 100_000;

function tooLarge(length: number, file: string): Problem {
  return {
    code: 'HF_POLICY_TOO_LARGE',
    file,
    line: 0,
    message: `the policy has ${length} characters, more than the ${largestText} that are read`,
    remedy: 'shorten it; one pattern can cover many paths',
  };
}

function locator(file: string, lines: ReadonlyMap<string, number>): (finding: DocumentFinding) => Problem {
  return ({ at, message, remedy }) => ({
    code: 'HF_POLICY_INVALID',
    file,
    line: lineOf({ lines }, at),
    message,
    remedy,
  });
}

function problemsOf(problems: readonly Problem[]): ParsedPolicy {
  const sorted = problems.toSorted((a, b) => a.line - b.line).slice(0, mostProblems);
  return { kind: 'problems', problems: sorted };
}

/** Nobody reads more, and suggestions take time: a hostile file may have any number of unknown keys. */
const mostKeys = 100;

/**
 * Returns keys that the schema does not know, each with the most likely intended key. The schema itself reports only
 * one per table.
 */
export function unknownKeys(schema: unknown, value: unknown): readonly DocumentFinding[] {
  const found: DocumentFinding[] = [];
  for (const finding of unknownIn(schema, value, '')) {
    found.push(finding);
    if (found.length === mostKeys) break;
  }
  return found;
}

function* unknownIn(schema: unknown, value: unknown, path: string): Generator<DocumentFinding> {
  const shape = unwrap(schema);
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* unknownIn(shape['item'], entry, `${path}[${index}]`);
    return;
  }
  const entries = shape['entries'];
  if (!isObject(entries) || !isObject(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(entries, key)) yield* unknownIn(entries[key], entry, at);
    else yield unknownKey(key, at, Object.keys(entries));
  }
}

const rulesRemedy = 'write a table of its kind: [[file]], [[exec]], [[connect]], [[http]] … (docs/policy-rules.md)';

function unknownKey(key: string, at: string, known: readonly string[]): DocumentFinding {
  const meant = nearest(key, known);
  const other = at === 'rules' ? rulesRemedy : `use one of: ${known.join(', ')}`;
  const remedy = meant === undefined ? other : `did you mean "${meant}"?`;
  return { at, message: `unknown key "${key.slice(0, 100)}"`, remedy };
}

/** Unwraps schemas: `optional` holds `wrapped`, and a pipe is its first member. */
function unwrap(schema: unknown): Readonly<Record<string, unknown>> {
  let shape = isObject(schema) ? schema : {};
  while (isObject(shape['wrapped'])) shape = shape['wrapped'];
  return shape;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Problems that the schema cannot express: patterns, names, examples, and statements without effect. */
function findings(value: PolicyValue, kind: LayerKind | undefined): readonly DocumentFinding[] {
  const own = features.flatMap((feature) => ('findings' in feature ? feature.findings(value) : []));
  const shape = [
    ...(kind === undefined ? [] : placeFindings(value, kind)),
    ...patternFindings(value),
    ...quantityFindings(value),
    ...ruleFindings(value),
    ...own,
  ];
  // Checks of examples and reach use compiled patterns, so the patterns must be valid first.
  return shape.length > 0 ? shape : [...exampleFindings(value), ...reachFindings(value)];
}

/** Examples with another result than written. They are each rule's own tests. */
function exampleFindings(value: PolicyValue): readonly DocumentFinding[] {
  return tryExamples(value).flatMap(({ at, outcome }) =>
    outcome.kind === 'failed' ? [{ at, message: outcome.message, remedy: outcome.remedy }] : [],
  );
}

/** Reports every text that is not a valid pattern of its language. */
export function patternFindings(value: PolicyValue): readonly DocumentFinding[] {
  return Object.entries(languages).flatMap(([at, language]) =>
    textsAt(value, at.split('.')).flatMap(({ path, text }): readonly DocumentFinding[] => {
      const parsed = patternParsers[language](text);
      return parsed.kind === 'problem'
        ? [{ at: path, message: (parsed as PatternProblem).message, remedy: (parsed as PatternProblem).remedy }]
        : [];
    }),
  );
}

/** Returns all texts below a path of keys. Enters each table of a list on the way. */
function textsAt(value: unknown, keys: readonly string[], path = ''): readonly PlacedText[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsAt(item, keys, `${path}[${index}]`));
  const [key, ...rest] = keys;
  if (key === undefined)
    return typeof value === 'string' || typeof value === 'number' ? [{ path, text: String(value) }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return textsAt((value as Readonly<Record<string, unknown>>)[key], rest, path === '' ? key : `${path}.${key}`);
}
