/** What is known of git: its subcommands, what the repository can make them run, and their neutral form. Nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { git } from './git.ts';

export { neutralEnvironment, neutralGit } from './neutralise.ts';
export const gitTools: readonly ToolSpec[] = [git];
