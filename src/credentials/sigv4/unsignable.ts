import type { Unsignable } from './types.ts';

export function unsignable(why: string, remedy: string): Unsignable {
  return { kind: 'unsignable', why, remedy };
}

/** For what no SDK sends. */
export const useAnSdk = 'Sign as the SDKs of AWS do.';
