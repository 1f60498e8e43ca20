import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { analyse, classOf, type LineClass } from '../shell/index.ts';

export interface CommandClassOptions {
  /** Where the command would run. Default: the working directory of this process. */
  readonly cwd?: string;
  /** What the command may write without changing the machine. Default `cwd`. */
  readonly workspace?: string;
  /** What `~` stands for. Default: the home directory of this user. */
  readonly home?: string;
}

/**
 * What a command line can do at most, from `reads` to `anything`, and why. A text is read as bash reads it; words are a
 * command as it stands, which no shell reads. Nothing runs, and no policy is asked. What is not understood is
 * `anything`, so that a line that only reads may come out stronger, and no other line comes out as `reads`.
 *
 * Reading commands of git count as Holdfast runs them: without the pager, filters and hooks that a repository names.
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
