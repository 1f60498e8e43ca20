/**
 * What `always` means: the smallest rule of the user's policy that allows exactly what was asked. Pure: the policy's text comes
 * in and goes out; files and answers may not enter.
 */
export { alwaysRules } from './always-rules.ts';
export type { UserPolicy } from './with-rule.ts';
