import { resolve } from 'node:path';
import { openWhy } from '../../sandbox/why.ts';
import type { HookWorld } from './decide-action.ts';

export interface WorldOptions {
  /** Where the agent works. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What starts Holdfast: Node, and the file that it runs. */
  readonly program: readonly string[];
}

/** The variables in which agents name the project that they were started in. */
const projectVariables = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR'] as const;

/** Reads the policy. The workspace is that of the project, wherever the agent has gone since, and commands get no other. */
export function openHookWorld({ cwd, environment, program }: WorldOptions): HookWorld {
  const project = projectVariables.map((name) => environment[name]).find((path) => path?.startsWith('/') === true);
  const why = openWhy({ cwd: project ?? cwd, environment });
  return { why, box: [...program.map((word) => resolve(word)), 'run', '--no-prompt', '--workspace', why.workspace, '--'] };
}
