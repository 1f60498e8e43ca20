import { lstatSync } from 'node:fs';
import { alwaysRules, type UserPolicy } from '../../approvals/always/index.ts';
import type { AlwaysRules } from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { replaceFile } from '../credentials/secrets/replace-file.ts';
import { userPolicyText, withUserPolicy } from '../credentials/secrets/user-policy.ts';
import type { Place } from '../place.ts';
import { policyOfPlace } from '../planner.ts';

/** What the answer `always` writes, in the policy of this user. */
export function ownRules(place: Place): AlwaysRules {
  const { userPolicy } = place.paths;
  return alwaysRules({
    read: () => ownPolicy(place, userPolicy),
    replace: (change) => withUserPolicy(place, (file) => replaceFile(file, change(ownPolicy(place, file)))),
  });
}

/** A link may lead to a file that is shared with other machines: what somebody answers here is not for those. */
function ownPolicy(place: Place, file: string): UserPolicy {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw new HoldfastError('HF_STATE_UNWRITABLE', `${file} is a symbolic link, so no rule is written`, { remedy: 'add the rule by hand where the link leads' });
  return userPolicyOf(place, userPolicyText(file));
}

/** The other policies stay what they were when the session began: an answer is to what held then. */
function userPolicyOf(place: Place, text: string): UserPolicy {
  const file = place.paths.userPolicy;
  const others = place.sources.filter(({ kind }) => kind !== 'user');
  return { file, text, policyWith: (changed) => policyOfPlace({ ...place, sources: [...others, { kind: 'user', file, text: changed }] }) };
}
