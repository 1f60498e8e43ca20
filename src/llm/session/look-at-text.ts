import type { FakeMap } from '../../dlp/types.ts';
import type { DlpRule } from '../../policy/llm/types.ts';
import type { ContentRules } from './content-rules.ts';
import { type RuleCounts, FindingTally } from './tally.ts';
import type { CallLook } from './types.ts';

export interface SeenText {
  readonly found: readonly RuleCounts[];
  /** The rules that refuse the content, with their counts. */
  readonly by?: RuleCounts;
}

interface TextLooking {
  readonly rules: ContentRules;
  readonly fakes: FakeMap;
}

/**
 * Searches an address, or content that is not JSON, such as a form with files. Such content cannot be changed safely,
 * so a rule that would change it refuses it instead.
 */
export function lookAtText(bytes: Buffer, looking: TextLooking): SeenText {
  // Octets that are not UTF-8 hide nothing, because the text around them is decoded as usual.
  const text = bytes.toString();
  const unescaped = withoutEscapes(text);
  return lookAt(unescaped === text ? [text] : [text, unescaped], looking);
}

/** Searches the keys of objects in a document. Keys are never changed. */
export function lookAtKeys(keys: readonly string[], looking: TextLooking): SeenText {
  return lookAt([keys.join('\n')], looking);
}

/** Searches several spellings of the same content. */
function lookAt(texts: readonly string[], { rules, fakes }: TextLooking): SeenText {
  const tally = new FindingTally();
  const blocking = new Map<DlpRule, DlpRule>();
  const told = new Set<string>();
  for (const text of texts) {
    const seen = rules.scanner
      .find(text)
      .map((finding) => ({ finding, value: text.slice(finding.start, finding.end) }));
    const fresh = seen.filter(({ value }) => fakes.realOf(value) === undefined && !told.has(value));
    for (const { finding } of fresh) {
      const rule = rules.ruleFor(finding);
      const known = blocking.get(rule) ?? (rule.decision === 'audit' ? rule : { ...rule, decision: 'block' });
      blocking.set(rule, known);
      tally.count(known, finding);
    }
    for (const { value } of fresh) told.add(value);
  }
  const found = tally.found();
  const by = found.find(({ rule }) => rule.decision === 'block');
  return { found, ...(by === undefined ? {} : { by }) };
}

/**
 * Decodes characters as forms encode them: `%2F`. Keeps `+`, because keys may contain it, and because it ends a word
 * just like a blank.
 */
function withoutEscapes(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/giu, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}

const longestPath = 1000;

/**
 * Records one event for each rule of the policy that matched, however often. The path of a request may itself hold a
 * secret.
 */
export function tellFound(
  { gateway, destination: { host, port }, path }: CallLook,
  found: readonly RuleCounts[],
): void {
  for (const { rule, counts } of found)
    gateway.record({
      type: 'dlp',
      host,
      port,
      path: gateway.hide(path).slice(0, longestPath),
      rule: rule.name,
      decision: rule.decision,
      found: counts,
    });
}
