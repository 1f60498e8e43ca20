import type { FakeMap } from '../../dlp/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import type { ContentRules } from './content-rules.ts';
import { type Found, Tally } from './tally.ts';

export interface SeenText {
  readonly found: readonly Found[];
  /** What keeps the content here. */
  readonly by?: Found;
}

/** Content that is no JSON, such as a form with files. It cannot be changed without harm: what a rule would change is blocked. */
export function lookAtText(bytes: Buffer, { rules, fakes }: { readonly rules: ContentRules; readonly fakes: FakeMap }): SeenText {
  const tally = new Tally();
  // Octets that are no UTF-8 hide nothing: the text around them is as it was.
  const text = bytes.toString();
  const blocking = new Map<DlpRule, DlpRule>();
  for (const finding of rules.scanner.find(text)) {
    if (fakes.realOf(text.slice(finding.start, finding.end)) !== undefined) continue;
    const rule = rules.ruleFor(finding);
    const known = blocking.get(rule) ?? (rule.decision === 'audit' ? rule : { ...rule, decision: 'block' });
    blocking.set(rule, known);
    tally.count(known, finding);
  }
  const found = tally.found();
  const by = found.find(({ rule }) => rule.decision === 'block');
  return { found, ...(by === undefined ? {} : { by }) };
}
