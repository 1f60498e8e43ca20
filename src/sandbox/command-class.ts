import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { analyse, classOf, type LineClass } from '../shell/index.ts';

export interface CommandClassOptions {
  /** Directory in which the command would run. Default: the working directory of this process. */
  readonly cwd?: string;
  /** Directory that the command may write without changing the machine. Default: `cwd`. */
  readonly workspace?: string;
  /** Directory that `~` stands for. Default: the home directory of this user. */
  readonly home?: string;
}

/**
 * Returns the most that a command line can do, from `reads` to `anything`, with the reasons. A string is read as bash
 * reads it. An array is one command that no shell reads. Nothing runs, and no policy is asked. Anything not understood
 * counts as `anything`. A line that only reads may therefore come out stronger, but no other line comes out as `reads`.
 *
 * Reading commands of git are judged as Holdfast runs them: without the pager, filters and hooks that a repository
 * names.
 */
export function commandClass(command: string | readonly string[], options: CommandClassOptions = {}): LineClass {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = resolve(options.home ?? homedir());
  const input =
    typeof command === 'string'
      ? ({ kind: 'script', text: command, shell: 'bash' } as const)
      : ({ kind: 'argv', argv: command } as const);
  return classOf(analyse(input, { cwd, home }), { home, workspace: resolve(options.workspace ?? cwd) });
}
