import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { HoldfastError } from '../../errors/index.ts';

/** The name in front of the secret: HTTP Basic and SOCKS5 want one. */
export const proxyUser = 'holdfast';

const shortest = 32;

/** 256 random bits as 43 characters that need no escape in a URL. One for each session. */
export function newProxySecret(): string {
  return randomBytes(32).toString('base64url');
}

export interface ProxyGuard {
  admits(user: string, password: string): boolean;
}

/**
 * Knows the secret and gives it to nobody. Salted digests are compared, so that neither the length nor the first wrong
 * byte of a guess can be measured. (An HMAC would do the same for 40 µs a client: its key becomes an object every
 * time.)
 */
export function proxyGuard(secret: string): ProxyGuard {
  if (secret.length < shortest)
    throw new HoldfastError('HF_INTERNAL', 'the secret of a proxy is too short to keep anybody out', {
      remedy: 'make it with newProxySecret',
    });
  const salt = randomBytes(32).toString('hex');
  const digest = (user: string, password: string): Buffer => hash('sha256', `${salt}${user}:${password}`, 'buffer');
  const expected = digest(proxyUser, secret);
  return { admits: (user, password) => timingSafeEqual(digest(user, password), expected) };
}
