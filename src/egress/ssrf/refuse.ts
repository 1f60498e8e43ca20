import type { Verdict } from '../../policy/verdict.ts';
import type { EgressRefusal, EgressRefusalCode, Refused } from '../types.ts';

const longest = 400;

/** Returns a refusal whose texts are one line each, because an attacker may choose host names and servers' words. */
export function refuse(
  code: EgressRefusalCode,
  message: string,
  more: Pick<EgressRefusal, 'remedy' | 'verdict'>,
): Refused {
  const remedy = oneLine(more.remedy);
  const refusal = { code, message: oneLine(message), remedy };
  return { kind: 'refused', refusal: more.verdict === undefined ? refusal : { ...refusal, verdict: more.verdict } };
}

/**
 * Removes characters that forge output. Line breaks would add a second message, escapes would repaint the first, and
 * direction marks would swap its words.
 */
function oneLine(text: string): string {
  const safe = text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}

/**
 * Returns true if a verdict lets a request pass unchanged. All decisions except `allow` and `audit` need an action
 * first.
 */
export function letsPass({ decision }: Pick<Verdict, 'decision'>): boolean {
  return decision === 'allow' || decision === 'audit';
}
