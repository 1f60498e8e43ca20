import { HoldfastError } from '../../errors/index.ts';
import type { AlwaysRules } from '../queue/options.ts';
import { type UserPolicy, withRule } from './with-rule.ts';

export interface AlwaysOptions {
  /** The user's policy as it is now. */
  readonly read: () => UserPolicy;
  /**
   * Writes what `change` makes of the policy, while nobody else can: whole or not at all, and through no symbolic link.
   */
  readonly replace: (change: (user: UserPolicy) => string) => void;
}

/** What the answer `always` writes: shown with the question, and written only if it is still the same. */
export function alwaysRules({ read, replace }: AlwaysOptions): AlwaysRules {
  return {
    propose(subject) {
      try {
        const user = read();
        const changed = withRule(subject, user);
        return changed === undefined ? undefined : { file: user.file, text: changed.rule };
      } catch {
        // A policy that cannot be read can be given nothing; the question is asked without this answer.
        return undefined;
      }
    },
    write(subject, shown) {
      replace((user) => {
        const changed = withRule(subject, user);
        if (changed?.rule !== shown.text)
          throw new HoldfastError('HF_POLICY_INVALID', `${user.file} has changed since the rule was shown`, {
            remedy: 'answer "once", and "always" when it asks again',
          });
        return changed.text;
      });
    },
  };
}
