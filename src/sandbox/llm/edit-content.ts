import { editJson, type FakeMap, type FieldPattern, type Finding } from '../../dlp/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import type { ContentRules } from './content-rules.ts';

/** What the rules did to one content. */
export type EditedContent =
  | { readonly kind: 'passes'; readonly bytes: Buffer; readonly found: readonly Found[] }
  | { readonly kind: 'blocked'; readonly by: Found; readonly found: readonly Found[] }
  /** It could not be looked into. */
  | { readonly kind: 'unreadable' };

/** What a rule of the policy decided, and how often each kind was found. */
export interface Found {
  readonly rule: DlpRule;
  readonly counts: Readonly<Record<string, number>>;
}

export interface ContentEditing {
  readonly rules: ContentRules;
  readonly fakes: FakeMap;
  readonly fields: readonly FieldPattern[];
}

/** Looks into the texts of a JSON content and changes what rules say. Everything else stays byte for byte. */
export function editContent(bytes: Buffer, { rules, fakes, fields }: ContentEditing): EditedContent {
  const tally = new Map<DlpRule, Record<string, number>>();
  const edit = (text: string): string | undefined => {
    const findings = rules.scanner.find(text);
    if (findings.length === 0) return undefined;
    let out = '';
    let at = 0;
    for (const finding of findings) {
      const rule = rules.ruleFor(finding);
      const value = text.slice(finding.start, finding.end);
      // What we put in ourselves comes back with every turn: it is no find.
      if (fakes.realOf(value) !== undefined) continue;
      count(tally, rule, finding);
      out += text.slice(at, finding.start) + replacement(rule, value, { finding, fakes });
      at = finding.end;
    }
    return at === 0 ? undefined : out + text.slice(at);
  };
  const edited = editJson(bytes, { fields, edit });
  if (edited.kind === 'unreadable') return { kind: 'unreadable' };
  const found = [...tally].map(([rule, counts]) => ({ rule, counts }));
  const by = found.find(({ rule }) => rule.decision === 'block');
  return by === undefined ? { kind: 'passes', bytes: edited.bytes, found } : { kind: 'blocked', by, found };
}

function count(tally: Map<DlpRule, Record<string, number>>, rule: DlpRule, { rule: kind }: Finding): void {
  const counts = tally.get(rule) ?? {};
  counts[kind] = (counts[kind] ?? 0) + 1;
  tally.set(rule, counts);
}

interface Replaced {
  readonly finding: Finding;
  readonly fakes: FakeMap;
}

function replacement({ decision }: DlpRule, value: string, { finding, fakes }: Replaced): string {
  switch (decision) {
    case 'audit':
    case 'block':
      return value;
    case 'redact':
      return `[redacted:${finding.rule}]`;
    case 'tokenize':
      // What has too few forms to be brought back for certain is gone for good.
      return fakes.fakeFor(finding.rule, value) ?? `[redacted:${finding.rule}]`;
  }
}
