import type { BaseIssue } from 'valibot';
import { presetRemedy } from '../kinds/known-pattern.ts';
import { looksSecret } from '../settings/secret-shapes.ts';
import { nearest } from './suggest.ts';
import { printable } from '../words/describe-request.ts';
import { tomlText } from '../words/toml-text.ts';
import type { DocumentFinding } from './problem.ts';

/** Returns the schema's issue in words for a person. Unknown keys are reported elsewhere, all at once. */
export function schemaFinding(issue: BaseIssue<unknown>): readonly DocumentFinding[] {
  const at = pathOf(issue);
  if (issue.type === 'strict_object' && issue.expected === 'never') return [];
  if (issue.received === 'undefined') {
    const key = at.slice(at.lastIndexOf('.') + 1);
    return [{ at, message: `"${key}" is missing`, remedy: remedies.get(key) ?? `add ${key} = …` }];
  }
  if (at.startsWith('credentials[')) return [{ at, ...credentialIssue(at, issue) }];
  if (issue.type === 'picklist' && typeof issue.input === 'string' && /\.presets\[\d+\]$/.test(at))
    return [{ at, message: `unknown preset "${issue.input.slice(0, 100)}"`, remedy: presetRemedy(issue.input) }];
  if (issue.kind === 'validation' && issue.type === 'regex')
    return [{ at, message: issue.message, remedy: `change ${issue.received}` }];
  if (issue.type === 'min_length')
    return [{ at, message: `${subjectOf(at)} is empty`, remedy: 'write something, or leave it out' }];
  return [
    {
      at,
      message: `${subjectOf(at)} has to be ${expectation(issue)}, not ${shorten(issue.received)}`,
      remedy: valueRemedy(at, issue) ?? 'see docs/policy.schema.json for the whole language',
    },
  ];
}

/**
 * A value in a table of credentials may be the secret itself. So it is repeated only if the key takes one of a few
 * words.
 */
function credentialIssue(at: string, issue: BaseIssue<unknown>): Omit<DocumentFinding, 'at'> {
  if (at.endsWith('.source') && typeof issue.input === 'string')
    return {
      message: 'source says where the secret is read, and never holds it',
      remedy: 'write source = { env = "NAME" }, or another place; see docs/policy.md#credentials',
    };
  if (issue.type === 'picklist' && typeof issue.input === 'string' && !looksSecret(issue.input))
    return wrongWord(at, issue.input, issue);
  if (issue.kind === 'validation' && issue.type === 'regex')
    return { message: `${at}: ${issue.message}`, remedy: 'correct it' };
  return {
    message: `${at} has to be ${expectation(issue)}`,
    remedy: issue.expected === 'Array' ? 'write a list: […]' : 'see docs/policy.schema.json for the whole language',
  };
}

function wrongWord(at: string, word: string, issue: BaseIssue<unknown>): Omit<DocumentFinding, 'at'> {
  const known = [...(issue.expected ?? '').matchAll(/"([^"]+)"/gu)].flatMap(([, each]) => each ?? []);
  const meant = nearest(word, known);
  return {
    message: `${at}: unknown word "${printable(word)}"`,
    remedy: meant === undefined ? `use one of: ${known.join(', ')}` : `did you mean "${meant}"?`,
  };
}

function valueRemedy(at: string, issue: BaseIssue<unknown>): string | undefined {
  if (at === 'version') return remedies.get(at);
  if (/^[a-z_]+$/u.test(at) && expectation(issue) === 'a table') return `write a table: [${at}]`;
  return listRemedy(issue) ?? textRemedy(at, issue) ?? wordRemedy(issue);
}

function wordRemedy({ expected, input }: BaseIssue<unknown>): string | undefined {
  const known = [...(expected ?? '').matchAll(/"([^"]+)"/gu)].flatMap(([, each]) => each ?? []);
  const meant = typeof input === 'string' ? nearest(input, known) : undefined;
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
}

/** The usual mistake is a single item without brackets. */
function listRemedy({ expected, input }: BaseIssue<unknown>): string | undefined {
  if (
    !(expected === 'Array' || expected?.startsWith('(Array |') === true) ||
    typeof input !== 'string' ||
    input.length > 60
  )
    return undefined;
  return `write a list: [${tomlText(input)}]`;
}

/** The usual mistake is a number without quotes or without its unit. */
function textRemedy(at: string, { expected, input }: BaseIssue<unknown>): string | undefined {
  if (expected !== 'string' || typeof input !== 'number') return undefined;
  return at.startsWith('limits.') ? 'write it in quotes, with its unit: "90s" or "512MiB"' : `write "${input}"`;
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['version', 'start the file with: version = 1'],
  ['name', 'give the rule a name of its own: name = "…"'],
  ['decision', 'add the decision of the rule: decision = "allow", "ask" or "deny"'],
]);

function pathOf(issue: BaseIssue<unknown>): string {
  return (issue.path ?? []).reduce((path, { key }) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path === '' ? String(key) : `${path}.${String(key)}`;
  }, '');
}

function subjectOf(at: string): string {
  return at === '' ? 'a policy' : at.slice(0, 100);
}

/** Valibot writes types as TypeScript does, but a TOML file has lists and tables. */
function expectation(issue: BaseIssue<unknown>): string {
  const expected = issue.expected ?? 'something else';
  if (issue.type === 'max_length') return `at most ${expected.replace('<=', '')} long`;
  return (
    typeNames.get(expected) ??
    expected
      .replaceAll(/[()]/g, '')
      .split(' | ')
      .map((name) => typeNames.get(name) ?? name)
      .join(' or ')
      .replace('>=', 'at least ')
      .replace('<=', 'at most ')
  );
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['Array', 'a list'],
  ['Object', 'a table'],
  // Valibot's name for an object without a prototype. TOML has no null.
  ['null', 'a table'],
]);

function shorten(received: string): string {
  return received.length > 60 ? `${received.slice(0, 60)}…` : (typeNames.get(received) ?? received);
}
