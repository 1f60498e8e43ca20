import { HoldfastError } from '../../errors/index.ts';
import { tomlSource } from './parse-source.ts';
import { valueEntries, itemsOf, oneOrMore, importedText } from './read-value.ts';
import { type ImportReading, readingOf, type ReadingPart } from './types.ts';
import {
  commandParts,
  type CommandPrefix,
  type ImportedDecision,
  literalBeginning,
  prefixOf,
  withoutContested,
} from './words.ts';

/**
 * Reads policies of Gemini CLI (`~/.gemini/policies/*.toml`). Source:
 * https://geminicli.com/docs/reference/policy-engine, and `packages/core/src/policy` of google-gemini/gemini-cli.
 */
export function readGemini(text: string): ImportReading {
  const parts = valueEntries(tomlSource(text), '').flatMap(({ key, value, at }): readonly ReadingPart[] => {
    if (key === 'rule') return itemsOf(value, at).flatMap(({ value: rule, at: place }) => ruleParts(rule, place));
    return [
      {
        at,
        why: key === 'safety_checker' ? 'checkers run in Gemini CLI' : 'no key of a policy that is known here',
        effect: 'looser',
      },
    ];
  });
  return readingOf([
    ...withoutContested(parts),
    {
      at: 'rule',
      why: 'calls without a rule: Gemini CLI decides by its own defaults; here they run, confined by the box',
      effect: 'none',
    },
  ]);
}

const wishes: Readonly<Record<string, ImportedDecision>> = { allow: 'allow', ask_user: 'ask', deny: 'deny' };
/**
 * Keys without a meaning for a box, and keys that the import widens: a refusal in some modes becomes a refusal in all.
 */
const ignored = new Set([
  'toolName',
  'commandPrefix',
  'commandRegex',
  'decision',
  'priority',
  'modes',
  'denyMessage',
  'deny_message',
  'interactive',
  'allowRedirection',
  'allow_redirection',
]);

function ruleParts(value: unknown, at: string): readonly ReadingPart[] {
  const rule = new Map(valueEntries(value, at).map(({ key, value: each }) => [key, each]));
  const wish = wishOf(rule.get('decision'), at);
  const narrowing = [...rule.keys()].filter((key) => !ignored.has(key));
  const tools = rule.has('toolName')
    ? oneOrMore(rule.get('toolName'), `${at}.toolName`).map(({ text }) => text)
    : ['*'];
  const shell =
    tools.some((tool) => shellTools.has(tool)) ||
    (tools.includes('*') && wish !== 'allow') ||
    rule.has('commandPrefix') ||
    rule.has('commandRegex');
  const parts = [
    ...unheld(narrowing, wish, at),
    ...(shell ? shellParts(rule, { wish, narrowed: narrowing.length > 0 || conditional(rule) }, at) : []),
    ...tools
      .filter((tool) => !shellTools.has(tool))
      .flatMap((tool) => toolParts(tool, { wish, narrowed: narrowing.length > 0 }, at)),
  ];
  return parts.length > 0
    ? parts
    : [{ at, why: 'it names nothing that it is about', effect: wish === 'allow' ? 'none' : 'looser' }];
}

const shellTools = new Set(['run_shell_command', 'ShellTool']);
const writers = new Set(['write_file', 'replace', 'edit', 'WriteFileTool', 'EditTool']);

interface Wish {
  readonly wish: ImportedDecision;
  /** Whether the rule covers only some calls. */
  readonly narrowed: boolean;
}

function conditional(rule: ReadonlyMap<string, unknown>): boolean {
  return rule.has('modes') || rule.has('interactive');
}

function unheld(keys: readonly string[], wish: ImportedDecision, at: string): readonly ReadingPart[] {
  return keys.map((key) => ({
    at,
    why: `${/^\w{1,40}$/u.test(key) ? key : 'a key'} limits the rule to some calls, and the import does not read it: ${wish === 'allow' ? 'the rule allows nothing' : 'the rule holds for all calls'}`,
    effect: 'stricter',
  }));
}

function shellParts(rule: ReadonlyMap<string, unknown>, { wish, narrowed }: Wish, at: string): readonly ReadingPart[] {
  if (wish === 'allow' && narrowed)
    return [{ at, why: 'Holdfast has no permission for some calls or modes only', effect: 'stricter' }];
  return prefixesOf(rule, at).flatMap((prefix) =>
    commandParts(wish, wish === 'deny' && rule.has('argsPattern') ? { ...prefix, form: 'open' } : prefix, at),
  );
}

function prefixesOf(rule: ReadonlyMap<string, unknown>, at: string): readonly CommandPrefix[] {
  if (rule.has('commandPrefix'))
    return oneOrMore(rule.get('commandPrefix'), `${at}.commandPrefix`).map(({ text }) => prefixOf(text));
  if (rule.has('commandRegex')) return [literalBeginning(importedText(rule.get('commandRegex'), `${at}.commandRegex`))];
  return [{ words: ['*'], form: rule.has('argsPattern') ? 'open' : 'exact' }];
}

function toolParts(tool: string, { wish, narrowed }: Wish, at: string): readonly ReadingPart[] {
  if (tool === '*' && wish !== 'allow')
    return [{ at, why: 'a box controls commands, but no other tools', effect: 'looser' }];
  if (writers.has(tool) && wish !== 'allow' && !narrowed)
    return [{ place: wish === 'deny' ? 'files.protect' : 'rule.ask-to-change', text: '.', from: at }];
  return [
    {
      at,
      why: `${JSON.stringify(tool.slice(0, 60))} is a tool of Gemini CLI, which no box controls`,
      effect: wish === 'allow' ? 'none' : 'looser',
    },
  ];
}

function wishOf(decision: unknown, at: string): ImportedDecision {
  const wish = typeof decision === 'string' && Object.hasOwn(wishes, decision) ? wishes[decision] : undefined;
  if (wish === undefined)
    throw new HoldfastError('HF_POLICY_INVALID', `${at}.decision has to be "allow", "ask_user" or "deny"`, {
      remedy: 'correct the file: none of it was imported',
    });
  return wish;
}
