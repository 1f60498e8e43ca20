import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { isRunning } from '../../scripts/testing/processes.ts';

export const repository = resolve(import.meta.dirname, '../..');
export const binary = join(repository, 'bin/holdfast');
export const backends = ['native', 'bubblewrap'] as const;

/**
 * `one-each`: every project has a supervisor before its first run, so that the same tests use the other way to a box.
 */
const residents = process.env['HOLDFAST_TEST_RESIDENT'] === undefined ? 'never' : 'one-each';

/** Starts a project's own supervisor, and waits until it answers. It ends when the project is removed. */
export function startResident({ environment, state }: Project): number {
  const { HOLDFAST_RESIDENT: _, ...own } = environment;
  // Not a child of this process, because this thread waits and would not reap it.
  const { stdout } = spawnSync('setsid', ['sh', '-c', '"$0" serve --resident >/dev/null 2>&1 & echo $!', binary], {
    cwd: '/',
    env: own,
    encoding: 'utf8',
  });
  const pid = Number(stdout);
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 2000; tries += 1) {
    if (existsSync(join(state, 'run')) && readdirSync(join(state, 'run')).some((name) => name.startsWith('front-')))
      return pid;
    Atomics.wait(wait, 0, 0, 10);
  }
  throw new Error('the supervisor of a test does not listen');
}

/** Ends it immediately, and waits for its end. */
export function endResident(pid: number): void {
  const wait = new Int32Array(new SharedArrayBuffer(4));
  try {
    process.kill(pid, 'SIGKILL');
    // Until it no longer runs, because its new parent may reap it seconds later.
    while (isRunning(pid)) Atomics.wait(wait, 0, 0, 5);
  } catch {
    // The process no longer exists.
  }
}

/** A throw-away home and git workspace. `[Symbol.dispose]` removes it. */
export class Project {
  readonly root = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  readonly home = join(this.root, 'home');
  readonly workspace = join(this.root, 'ws');
  readonly state = join(this.home, '.local/state/holdfast');

  /** PID of its own supervisor, if it has one. */
  resident: number | undefined;

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.workspace);
    this.write(
      '../home/.gitconfig',
      '[user]\n\tname = Test\n\temail = test@example.org\n[init]\n\tdefaultBranch = main\n',
    );
    this.outside('git', ['init', '-q']);
    if (residents === 'one-each') this.resident = startResident(this);
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH, LANG } = process.env;
    return {
      PATH,
      LANG,
      HOME: this.home,
      TERM: 'dumb',
      ...(residents === 'never' ? { HOLDFAST_RESIDENT: 'never' } : {}),
    };
  }

  /** For the library in a test's process: it uses that process's home, but not its directories for state. */
  get libraryEnvironment(): NodeJS.ProcessEnv {
    return {
      ...this.environment,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_STATE_HOME: join(this.home, '.local/state'),
    };
  }

  /** Path relative to the workspace. */
  write(path: string, content: string): string {
    const file = resolve(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  outside(program: string, args: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(program, args, { cwd: this.workspace, env: this.environment, encoding: 'utf8' });
  }

  /** Runs `holdfast` with these arguments. */
  holdfast(
    args: readonly string[],
    options: { readonly cwd?: string; readonly input?: string; readonly environment?: NodeJS.ProcessEnv } = {},
  ): SpawnSyncReturns<string> {
    return spawnSync(binary, args, {
      cwd: options.cwd ?? this.workspace,
      env: { ...this.environment, ...options.environment },
      input: options.input ?? '',
      encoding: 'utf8',
      timeout: 60_000,
    });
  }

  /** Runs a shell script inside the box. */
  inside(script: string, flags: readonly string[] = []): SpawnSyncReturns<string> {
    return this.holdfast(['run', ...flags, '--', 'sh', '-c', script]);
  }

  start(args: readonly string[]) {
    return spawn(binary, args, { cwd: this.workspace, env: this.environment, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** An ordinary user may not read the `work` of an overlay, which the kernel makes with mode 0. */
  [Symbol.dispose](): void {
    if (this.resident !== undefined) endResident(this.resident);
    if (process.getuid?.() !== 0) spawnSync('chmod', ['-R', 'u+rwX', this.root]);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Whether a program exists. Tests that need a missing program report that when they skip. */
export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
