import type { BaseIssue } from 'valibot';
import { presetRemedy } from '../kinds/known-pattern.ts';
import type { Finding } from './problem.ts';

/** What the schema found, in words for a person. Unknown keys are found elsewhere, all of them. */
export function schemaFinding(issue: BaseIssue<unknown>): readonly Finding[] {
  const at = pathOf(issue);
  if (issue.type === 'strict_object' && issue.expected === 'never') return [];
  if (issue.received === 'undefined') {
    const key = at.slice(at.lastIndexOf('.') + 1);
    return [{ at, message: `"${key}" is missing`, remedy: remedies.get(key) ?? `add ${key} = …` }];
  }
  if (issue.type === 'picklist' && typeof issue.input === 'string' && /\.presets\[\d+\]$/.test(at)) return [{ at, message: `unknown preset "${issue.input.slice(0, 100)}"`, remedy: presetRemedy(issue.input) }];
  if (issue.kind === 'validation' && issue.type === 'regex') return [{ at, message: issue.message, remedy: `change ${issue.received}` }];
  return [{ at, message: `${subjectOf(at)} has to be ${expectation(issue)}, not ${shorten(issue.received)}`, remedy: 'see docs/policy.schema.json for the whole language' }];
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['version', 'start the file with: version = 1'],
  ['name', 'give the rule a name of its own: name = "…"'],
  ['decision', 'say what the rule decides: decision = "allow", "ask" or "deny"'],
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

/** Valibot writes types as TypeScript does; lists and tables are what a TOML file has. */
function expectation(issue: BaseIssue<unknown>): string {
  const expected = issue.expected ?? 'something else';
  if (issue.type === 'min_length') return 'non-empty';
  if (issue.type === 'max_length') return `at most ${expected.replace('<=', '')} long`;
  return typeNames.get(expected) ?? expected.replaceAll(' | ', ' or ').replaceAll(/[()]/g, '').replace('>=', 'at least ').replace('<=', 'at most ');
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['Array', 'a list'],
  ['Object', 'a table'],
  // What valibot calls an object without a prototype; TOML has no null.
  ['null', 'a table'],
]);

function shorten(received: string): string {
  return received.length > 60 ? `${received.slice(0, 60)}…` : (typeNames.get(received) ?? received);
}
