/**
 * Injection: where HTTP requests get the secrets that their phantoms stand for, and what makes sure that neither goes
 * anywhere else. How each kind of credential is written stands in `injectors.ts`, a table; whether it is put in is
 * decided in `judge.ts` and nowhere else. Sources of secrets and the making of phantoms may not enter.
 */
export { refusedUse } from './approved-uses.ts';
export { credentialInterceptor } from './interceptor.ts';
