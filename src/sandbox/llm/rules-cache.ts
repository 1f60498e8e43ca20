import type { DlpRule } from '../../policy/index.ts';
import { type ContentRules, contentRules } from './content-rules.ts';
import { hasSame, type KnownSecrets } from './known-secrets.ts';

/** Hosts of a policy with rules of their own; each scanner has tables of some 200 KB. */
const mostKept = 16;

interface Kept {
  readonly rules: readonly DlpRule[];
  readonly ready: ContentRules | undefined;
}

/** `contentRules`, made once for the rules of a policy and the secrets of a session: a conversation asks for them with every turn. */
export function cachedContentRules(known: () => KnownSecrets): (rules: readonly DlpRule[]) => ContentRules | undefined {
  let kept: readonly Kept[] = [];
  let keptFor: KnownSecrets | undefined;
  return (rules) => {
    const secrets = known();
    if (secrets !== keptFor) kept = [];
    keptFor = secrets;
    const before = kept.find((each) => hasSame(each.rules, rules));
    if (before !== undefined) return before.ready;
    const made: Kept = { rules, ready: contentRules(rules, secrets) };
    kept = [made, ...kept].slice(0, mostKept);
    return made.ready;
  };
}
