/** The analysis of command lines: follows what a text or an argv runs, through wrappers, shells and directories. */
export { analyse } from './analyse.ts';
export type { AnalyseOptions, CommandInput, ShellName } from './types.ts';
