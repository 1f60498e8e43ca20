import { HoldfastError } from '../../errors/index.ts';
import { type StarlarkCall, type Literal, starlarkCalls } from './starlark.ts';
import { type ImportReading, readingOf, type ReadingPart } from './types.ts';
import { commandParts, type CommandPrefix, type ImportedDecision, withoutContested } from './words.ts';

/**
 * Reads rules of Codex (`~/.codex/rules/*.rules`): `prefix_rule` and `network_rule`. Source:
 * https://developers.openai.com/codex/rules, and `codex-rs/execpolicy/src/parser.rs` of openai/codex.
 */
export function readCodex(text: string): ImportReading {
  const parts = starlarkCalls(text).flatMap((call, index): readonly ReadingPart[] => {
    const at = `${/^\w{1,40}$/u.test(call.name) ? call.name : 'rule'}[${index}], line ${call.line}`;
    if (call.name === 'prefix_rule') return prefixRule(call, at);
    if (call.name === 'network_rule') return networkRule(call, at);
    return [
      {
        at,
        why:
          call.name === 'host_executable'
            ? 'Holdfast finds programs itself, outside the directories that the box can write'
            : 'Holdfast does not know this rule of Codex',
        effect: call.name === 'host_executable' ? 'none' : 'looser',
      },
    ];
  });
  return readingOf([
    ...withoutContested(parts),
    {
      at: 'rules',
      why: 'calls without a rule: Codex decides by its own lists; here they run, confined by the box',
      effect: 'none',
    },
  ]);
}

const wishes: Readonly<Record<string, ImportedDecision>> = {
  allow: 'allow',
  prompt: 'ask',
  forbidden: 'deny',
  deny: 'deny',
};
/** In the order of positional arguments. */
const known = {
  prefix_rule: ['pattern', 'decision', 'match', 'not_match', 'justification'],
  network_rule: ['host', 'protocol', 'decision', 'justification'],
} as const;

function prefixRule(call: StarlarkCall, at: string): readonly ReadingPart[] {
  const pattern = argument(call, 'pattern');
  const wish = wishOf(call);
  const unknown = unknownKeys(call, at);
  if (!Array.isArray(pattern) || pattern.length === 0) throw invalid(call, 'pattern has to be a list of words');
  const commands = sequences(pattern, call);
  return wish === 'allow' && unknown.length > 0
    ? unknown
    : [...unknown, ...commands.flatMap((words) => commandParts(wish, prefixOfWords(words), at))];
}

/** A word with a space or a wildcard does not fit into a pattern, so the words end before it. */
function prefixOfWords(words: readonly string[]): CommandPrefix {
  const end = words.findIndex((word) => !/^[\w@%+=:,./^-]+$/u.test(word) || word === '--');
  return end < 0 ? { words, form: 'exact' } : { words: words.slice(0, end), form: 'open' };
}

const mostSequences = 200;

/** Expands alternatives: `["git", ["push", "fetch"]]` is two sequences of words. */
function sequences(pattern: readonly Literal[], call: StarlarkCall): readonly (readonly string[])[] {
  let found: readonly (readonly string[])[] = [[]];
  for (const item of pattern) {
    const words = (Array.isArray(item) ? item : [item]) as readonly Literal[];
    if (words.length === 0 || words.some((word) => typeof word !== 'string'))
      throw invalid(call, 'pattern has to be a list of words, or of lists of them');
    if (found.length * words.length > mostSequences)
      throw invalid(call, `pattern stands for more than ${mostSequences} commands`);
    found = found.flatMap((before) => words.map((word) => [...before, String(word)]));
  }
  return found;
}

function networkRule(call: StarlarkCall, at: string): readonly ReadingPart[] {
  const host = argument(call, 'host');
  const protocol = argument(call, 'protocol');
  if (typeof host !== 'string') throw invalid(call, 'host has to be a text');
  const port = protocol === 'https' ? ':443' : protocol === 'http' ? ':80' : undefined;
  const unknown = unknownKeys(call, at);
  switch (wishOf(call)) {
    case 'deny':
      return [...unknown, { place: 'network.deny', text: host, from: at }];
    case 'ask':
      return [...unknown, { place: 'rule.ask-to-connect', text: host, from: at }];
    case 'allow':
      if (unknown.length > 0) return unknown;
      return port === undefined
        ? [
            ...unknown,
            {
              at,
              why: `a permission over ${JSON.stringify(protocol ?? null)} has no port: name the host in network.hosts`,
              effect: 'stricter',
            },
          ]
        : [...unknown, { place: 'network.hosts', text: `${host}${port}`, from: at }];
  }
}

/** An unknown argument may narrow the rule, so a permission with one is dropped. */
function unknownKeys(call: StarlarkCall, at: string): readonly ReadingPart[] {
  const keys = keysOf(call);
  const unknown = [...call.named.keys()].filter((key) => !keys.includes(key));
  const unread = [...unknown, ...call.positional.slice(keys.length).map(() => 'an argument without a name')];
  const wish = wishOf(call);
  return unread.map((key) => ({
    at,
    why: `${key} is not known${wish === 'allow' ? ': nothing is allowed by it' : ''}`,
    effect: wish === 'allow' ? 'stricter' : 'looser',
  }));
}

function keysOf({ name }: StarlarkCall): readonly string[] {
  return name === 'network_rule' ? known.network_rule : known.prefix_rule;
}

/** Returns an argument by its name or its position. */
function argument(call: StarlarkCall, name: string): Literal | undefined {
  const placed = call.positional[keysOf(call).indexOf(name)];
  if (call.named.has(name) && placed !== undefined) throw invalid(call, `${name} is given twice`);
  return call.named.get(name) ?? placed;
}

function wishOf(call: StarlarkCall): ImportedDecision {
  const decision = argument(call, 'decision') ?? 'allow';
  const wish = typeof decision === 'string' && Object.hasOwn(wishes, decision) ? wishes[decision] : undefined;
  if (wish === undefined) throw invalid(call, 'decision has to be "allow", "prompt" or "forbidden"');
  return wish;
}

function invalid({ line, name }: StarlarkCall, message: string): HoldfastError {
  return new HoldfastError('HF_POLICY_INVALID', `line ${line}: ${name}: ${message}`, {
    remedy: 'correct the file: none of it was imported',
  });
}
