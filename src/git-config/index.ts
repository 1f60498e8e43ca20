/**
 * The room of git's configuration language: a text of it as settings, and which settings make git run or obey
 * something.
 *
 * Pure. Nothing is read from the machine, and nothing that a text says is ever carried out.
 */
export { hookNames, runningKeys } from './keys.ts';
export { type GitSetting, parseGitConfig, type ParsedGitConfig } from './parse.ts';
