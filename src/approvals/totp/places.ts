import { join } from 'node:path';

/** Where the key and the used codes lie, below the state of the user. */
export function totpPlaces(state: string): { readonly key: string; readonly spent: string } {
  return { key: join(state, 'totp.key'), spent: join(state, 'totp-spent') };
}
