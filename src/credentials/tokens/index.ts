/**
 * Tokens: those that the supervisor fetches with a secret, and those that a server hands to a box. Both stay in the
 * supervisor's memory for one session, and a box has phantoms of them. Requests are asked of a `TokenClient`, which goes
 * the vetted way out; sockets, files and clocks may not enter.
 */
export { accessToken } from './inject/access-token.ts';
export { dockerRegistry } from './inject/docker-registry.ts';
export { oauth2Login } from './inject/oauth2-login.ts';
export { createTokenStore } from './token-store.ts';
export type * from './types.ts';
