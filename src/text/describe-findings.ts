import { escapeHidden } from './escape-hidden.ts';
import type { TextFinding } from './types.ts';

const mostKinds = 5;
const longestPayload = 100;

/**
 * Returns one line about all findings of a text, for a person, or for a warning to a model: `3 × tag (says "ignore …"),
 * 1 × bidi`. Empty without findings.
 */
export function describeFindings(findings: readonly TextFinding[]): string {
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const told = [...kinds].slice(0, mostKinds).map(([kind, found]) => `${found.length} × ${kind}${payloadOf(found)}`);
  return [...told, ...(kinds.size > mostKinds ? [`${kinds.size - mostKinds} more kinds`] : [])].join(', ');
}

/** Returns the longest payload, because short ones occur by chance. */
function payloadOf(findings: readonly TextFinding[]): string {
  const [payload] = findings
    .flatMap(({ decoded }) => (decoded === undefined ? [] : [decoded]))
    .toSorted((a, b) => b.length - a.length);
  if (payload === undefined) return '';
  const text = escapeHidden(payload);
  return ` (says "${text.length > longestPayload ? `${text.slice(0, longestPayload)}…` : text}")`;
}
