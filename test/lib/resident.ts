import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { allProcesses, childrenOf, commandLineOf, isRunning, processFile } from '../../scripts/testing/processes.ts';
import { binary, endResident, Project, startResident } from './holdfast.ts';

export interface RunOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string | Buffer;
}

/** A project whose commands may find a supervisor, and that counts its Node processes. */
export class ResidentProject extends Project {
  readonly runtime = join(this.state, 'run');

  constructor() {
    super();
    const marks = join(this.root, 'marks');
    writeFileSync(marks, '');
    writeFileSync(
      join(this.root, 'mark.cjs'),
      `if (require('worker_threads').isMainThread) require('fs').appendFileSync(${JSON.stringify(marks)}, process.argv.slice(2, 4).join(' ') + '\\n');`,
    );
    if (this.resident !== undefined) endResident(this.resident);
    this.resident = undefined;
  }

  /** A supervisor must have been started with the same Node variables as a run. These report every start. */
  override get environment(): NodeJS.ProcessEnv {
    const { HOLDFAST_RESIDENT: _, ...environment } = super.environment;
    const preload = join(this.root, 'mark.cjs');
    return { ...environment, ...(existsSync(preload) ? { NODE_OPTIONS: `--require=${preload}` } : {}) };
  }

  get cold(): NodeJS.ProcessEnv {
    return { ...this.environment, HOLDFAST_RESIDENT: 'never' };
  }

  /** Has its own supervisor, ready to answer, as tests of one class of project have. */
  serve(): number {
    return (this.resident = startResident(this));
  }

  /** Node processes that have run a command line, with their first words. */
  get starts(): readonly string[] {
    return readFileSync(join(this.root, 'marks'), 'utf8').split('\n').slice(0, -1);
  }

  /** Living supervisors of this project. */
  get residents(): readonly number[] {
    return residentsOf(this.home);
  }

  /** Names of sockets in the runtime directory. */
  get sockets(): readonly string[] {
    return existsSync(this.runtime)
      ? readdirSync(this.runtime)
          .filter((name) => name.endsWith('.sock'))
          .sort()
      : [];
  }

  /** A shell script outside, in which `$H` is Holdfast. */
  script(text: string, { environment, cwd, input = '' }: RunOptions = {}): SpawnSyncReturns<string> {
    return spawnSync('sh', ['-c', text], {
      cwd: cwd ?? this.workspace,
      env: { ...this.environment, H: binary, ...environment },
      input,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 1 << 25,
    });
  }

  /** Like `holdfast`, with the number of its Node processes. */
  counted(
    args: readonly string[],
    options: { readonly environment?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
  ): { readonly nodes: number; readonly result: SpawnSyncReturns<string> } {
    const before = this.starts.filter(isCommand).length;
    const result = this.holdfast(args, options);
    return { nodes: this.starts.filter(isCommand).length - before, result };
  }

  /** A run that continues. */
  begin(args: readonly string[], options: RunOptions = {}): Begun {
    return new Begun(
      spawn(binary, args, {
        cwd: options.cwd ?? this.workspace,
        env: { ...this.environment, ...options.environment },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  /** Also ends every supervisor that runs of this project have started. */
  override [Symbol.dispose](): void {
    for (const pid of this.residents) endResident(pid);
    this.resident = undefined;
    super[Symbol.dispose]();
  }
}

/** Does not count supervisors. */
export function isCommand(words: string): boolean {
  return !words.startsWith('serve');
}

/** A person's process, as its parent sees it. */
export class Begun {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess) {
    this.process = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(child, 'close').then(([status, signal]) => ({ status, signal }) as never);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Base name of the process's current program. */
  get program(): string {
    return programOf(this.pid);
  }

  /**
   * `warm`: by a supervisor. `cold`: by Node, which is a child of the launcher or has started it. Only while the
   * launcher runs.
   */
  get way(): 'warm' | 'cold' {
    return this.program === 'holdfast-launch' &&
      !childrenOf(this.pid).some((pid) => commandLineOf(pid).includes('holdfast.cjs'))
      ? 'warm'
      : 'cold';
  }

  /** Waits for a text on its stdout. */
  async said(text: string): Promise<this> {
    await expect
      .poll(
        () => this.stdout + (this.process.exitCode === null ? '' : `\nENDED ${this.process.exitCode} ${this.stderr}`),
      )
      .toContain(text);
    return this;
  }
}

export function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return 'gone';
  }
}

/** Living supervisors of a home. */
export function residentsOf(home: string): readonly number[] {
  return allProcesses().filter((pid) => isResidentOf(pid, home));
}

function isResidentOf(pid: number, home: string): boolean {
  return (
    isRunning(pid) &&
    commandLineOf(pid).includes('\0serve\0--resident') &&
    processFile(pid, 'environ').split('\0').includes(`HOME=${home}`)
  );
}

/** Values that differ from run to run. */
export function masked(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8,}\b/gu, 'ID')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{10,}\b/gu, 'ID')
    .replaceAll(/holdfast-test-\w+/gu, 'ROOT');
}
