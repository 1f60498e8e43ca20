/**
 * The room of git's configuration language: parses a configuration, and knows which settings make git run or obey
 * something.
 *
 * Pure. It reads nothing from the machine, and never carries out a setting.
 */
export { hookNames, runningKeys } from './keys.ts';
export { type GitSetting, parseGitConfig, type ParsedGitConfig } from './parse.ts';
