import type { ReadSource } from '../types.ts';

/** There is nothing to read before the box has logged in; from then on the tokens of that login are kept elsewhere. */
export const readNothing: ReadSource<'capture'> = () => Promise.resolve({ kind: 'missing', why: 'nobody has logged in yet', remedy: 'log in inside the box: what the login gives stays outside' });
