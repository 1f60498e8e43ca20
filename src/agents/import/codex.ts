import { HoldfastError } from '../../errors/index.ts';
import { type Call, type Literal, readCalls } from './starlark.ts';
import { type Reading, readingOf, type ReadingPart } from './types.ts';
import { commandParts, type CommandPrefix, type CommandWish, withoutContested } from './words.ts';

/**
 * Rules of Codex (`~/.codex/rules/*.rules`): `prefix_rule` and `network_rule`.
 * Source: https://developers.openai.com/codex/rules, and `codex-rs/execpolicy/src/parser.rs` of openai/codex.
 */
export function readCodex(text: string): Reading {
  const parts = readCalls(text).flatMap((call, index): readonly ReadingPart[] => {
    const at = `${/^\w{1,40}$/u.test(call.name) ? call.name : 'rule'}[${index}], line ${call.line}`;
    if (call.name === 'prefix_rule') return prefixRule(call, at);
    if (call.name === 'network_rule') return networkRule(call, at);
    return [{ at, why: call.name === 'host_executable' ? 'Holdfast finds programs itself, outside of what the box can write' : 'Codex has no such rule that is known here', effect: call.name === 'host_executable' ? 'none' : 'looser' }];
  });
  return readingOf([...withoutContested(parts), { at: 'rules', why: 'what no rule names: Codex decides by its own lists, and here it runs in the box, which holds it', effect: 'none' }]);
}

const wishes: Readonly<Record<string, CommandWish>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny', deny: 'deny' };
const known = { prefix_rule: ['pattern', 'decision', 'justification', 'match', 'not_match'], network_rule: ['host', 'protocol', 'decision', 'justification'] } as const;

function prefixRule(call: Call, at: string): readonly ReadingPart[] {
  const pattern = argument(call, 'pattern');
  const wish = wishOf(call);
  if (!Array.isArray(pattern) || pattern.length === 0) throw invalid(call, 'pattern has to be a list of words');
  return [...unknownKeys(call, known.prefix_rule, at), ...sequences(pattern, call).flatMap((words) => commandParts(wish, prefixOfWords(words), at))];
}

/** A word with a space or a wildcard cannot stand in a pattern of words: they end before it. */
function prefixOfWords(words: readonly string[]): CommandPrefix {
  const end = words.findIndex((word) => !/^[\w@%+=:,./^-]+$/u.test(word) || word === '--');
  return end < 0 ? { words, form: 'exact' } : { words: words.slice(0, end), form: 'open' };
}

const mostSequences = 200;

/** `["git", ["push", "fetch"]]` is two sequences of words. */
function sequences(pattern: readonly Literal[], call: Call): readonly (readonly string[])[] {
  let found: readonly (readonly string[])[] = [[]];
  for (const item of pattern) {
    const words = (Array.isArray(item) ? item : [item]) as readonly Literal[];
    if (words.length === 0 || words.some((word) => typeof word !== 'string')) throw invalid(call, 'pattern has to be a list of words, or of lists of them');
    if (found.length * words.length > mostSequences) throw invalid(call, `pattern stands for more than ${mostSequences} commands`);
    found = found.flatMap((before) => words.map((word) => [...before, String(word)]));
  }
  return found;
}

function networkRule(call: Call, at: string): readonly ReadingPart[] {
  const host = argument(call, 'host');
  const protocol = argument(call, 'protocol');
  if (typeof host !== 'string') throw invalid(call, 'host has to be a text');
  const port = protocol === 'https' ? ':443' : protocol === 'http' ? ':80' : undefined;
  const unknown = unknownKeys(call, known.network_rule, at);
  switch (wishOf(call)) {
    case 'deny':
      return [...unknown, { place: 'network.deny', text: host, from: at }];
    case 'ask':
      return [...unknown, { place: 'rule.ask-to-connect', text: host, from: at }];
    case 'allow':
      return port === undefined ? [...unknown, { at, why: `what is allowed over ${JSON.stringify(protocol ?? null)} has no port: name the host in network.hosts`, effect: 'stricter' }] : [...unknown, { place: 'network.hosts', text: `${host}${port}`, from: at }];
  }
}

function unknownKeys({ named, positional }: Call, keys: readonly string[], at: string): readonly ReadingPart[] {
  const unknown = [...named.keys()].filter((key) => !keys.includes(key));
  const unread = [...unknown, ...positional.slice(1).map(() => 'an argument without a name')];
  return unread.map((key) => ({ at, why: `${key} is not known`, effect: 'looser' }));
}

function argument(call: Call, name: string): Literal | undefined {
  if ((name === 'pattern' || name === 'host') && call.named.has(name) && call.positional.length > 0) throw invalid(call, `${name} is given twice`);
  return call.named.get(name) ?? (name === 'pattern' || name === 'host' ? call.positional[0] : undefined);
}

function wishOf(call: Call): CommandWish {
  const decision = call.named.get('decision') ?? 'allow';
  const wish = typeof decision === 'string' && Object.hasOwn(wishes, decision) ? wishes[decision] : undefined;
  if (wish === undefined) throw invalid(call, 'decision has to be "allow", "prompt" or "forbidden"');
  return wish;
}

function invalid({ line, name }: Call, message: string): HoldfastError {
  return new HoldfastError('HF_POLICY_INVALID', `line ${line}: ${name}: ${message}`, { remedy: 'correct the file: nothing of it was imported' });
}
