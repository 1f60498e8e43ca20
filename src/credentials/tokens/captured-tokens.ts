import { groupOf } from '../../policy/index.ts';
import type { TokenStoreOptions } from './token-store.ts';
import type { CapturedToken, TokenStore } from './types.ts';

type Options = Required<Pick<TokenStoreOptions, 'secrets' | 'registry' | 'onEvent'>>;

/** Of one credential at a time: with more, the oldest is forgotten. */
const mostKept = 256;
/** Of one credential in a session. Attack: a box that logs in without end fills the memory of its supervisor. */
const mostEver = 4096;

interface Captured {
  readonly token: CapturedToken;
  readonly role: string;
  readonly phantom: string;
}

interface OfCredential {
  readonly kept: Map<string, Captured>;
  ever: number;
}

/** Tokens that answers held. Each has a role of its own, because a client may have several logins. */
export function createCapturedTokens({ secrets, registry, onEvent }: Options): Pick<TokenStore, 'capture' | 'captured' | 'close'> {
  const byCredential = new Map<string, OfCredential>();
  const isStillKept = (name: string, text: string): boolean => [...(byCredential.get(name)?.kept.values() ?? [])].some(({ token }) => token.text === text);
  return {
    capture(credential, token) {
      const name = groupOf(credential);
      const tokens = byCredential.get(name) ?? { kept: new Map(), ever: 0 };
      byCredential.set(name, tokens);
      // The same token under another name may not be sent to the same places.
      const key = `${token.name} ${token.text}`;
      const known = tokens.kept.get(key);
      if (known !== undefined) return known.phantom;
      if (tokens.ever >= mostEver) return undefined;
      secrets.remember(name, token.text);
      tokens.ever += 1;
      const role = `${token.name} ${tokens.ever}`;
      const phantom = registry.mintFor(credential, role, token.like ?? token.text);
      tokens.kept.set(key, { token, role, phantom });
      const [oldest] = tokens.kept;
      if (tokens.kept.size > mostKept && oldest !== undefined) {
        tokens.kept.delete(oldest[0]);
        const { text } = oldest[1].token;
        if (!isStillKept(name, text)) secrets.unremember(name, text);
      }
      onEvent({ kind: 'captured', credential: name });
      return phantom;
    },
    captured: (name, role) => [...(byCredential.get(name)?.kept.values() ?? [])].find((captured) => captured.role === role)?.token,
    close: () => byCredential.clear(),
  };
}
