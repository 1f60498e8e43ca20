/**
 * The room for git's configuration language. It parses a configuration, and knows which settings make git run a program
 * or obey a file. It also reads the list of an interactive rebase.
 *
 * Pure. It reads nothing from the machine, and never applies a setting.
 */
export { hookNames, runningKeys } from './keys.ts';
export { type GitSetting, parseGitConfig, type ParsedGitConfig } from './parse.ts';
export { boxedRebase, execCommands } from './rebase-list.ts';
