import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { binary, Project, repository } from '../../lib/holdfast.ts';
import { commandFor } from './command-for.ts';
import { entering } from './enter.ts';

export const users =
  process.getuid?.() === 0 ? (['root', 'an ordinary user'] as const) : (['an ordinary user'] as const);
export type User = (typeof users)[number];

export interface WorldOptions {
  /** Tables of the user's policy. The world adds `version`, and read access to this repository's packages. */
  readonly policy: string;
  /** Additional readable files of the box. */
  readonly read?: readonly string[];
  /** Names of 127.0.0.1 on the host. */
  readonly names?: readonly string[];
  /** Additional files that cover the host's, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly user?: User;
  /** A command that starts holdfast. Holdfast's words follow it. */
  readonly through?: readonly string[];
  /** Variables of holdfast itself. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly backend?: string;
  readonly flags?: readonly string[];
  readonly input?: string;
}

const packages = realpathSync(join(repository, 'node_modules'));
/** An id of no user on any machine. */
export const ordinary = 61_999;
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A throw-away project on a machine with its own names and files, and `holdfast` there. It ends with the test. */
export class World {
  readonly project = new Project();
  readonly policyFile = join(this.project.home, '.config/holdfast/policy.toml');
  private readonly options: WorldOptions;
  private readonly files: readonly (readonly [string, string])[];
  private readonly uid: number | undefined;
  private readonly command: string;

  constructor(options: WorldOptions) {
    this.options = options;
    this.uid = options.user === 'an ordinary user' && process.getuid?.() === 0 ? ordinary : undefined;
    this.command = this.uid === undefined ? binary : commandFor(this.uid);
    const hosts = [
      '127.0.0.1 localhost',
      '::1 localhost',
      ...(options.names ?? []).map((name) => `127.0.0.1 ${name}`),
      '',
    ].join('\n');
    this.files = Object.entries({ '/etc/hosts': hosts, ...options.files }).map(([path, text], index) => [
      this.own(`machine/${index}`, text),
      path,
    ]);
    this.setPolicy(options.policy);
    this.giveAway();
    onTestFinished(() => this.project[Symbol.dispose]());
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...this.project.environment,
      PATH: `${dirname(process.execPath)}:${systemPath}`,
      ...this.options.environment,
    };
  }

  /** Also while a box runs. */
  setPolicy(tables: string): void {
    this.own(
      'home/.config/holdfast/policy.toml',
      `version = 1\n[files]\nread = ${JSON.stringify([packages, ...(this.options.read ?? [])])}\n${tables}\n`,
    );
  }

  /** A workspace file, which the box sees. */
  write(path: string, content: string): string {
    return this.own(join('ws', path), content);
  }

  /** Runs `holdfast` with these words. */
  start(words: readonly string[]): ChildProcess {
    return this.spawn([...(this.options.through ?? []), this.command, ...words]);
  }

  /** Runs any program on this machine, outside boxes. */
  spawn(argv: readonly string[]): ChildProcess {
    const [program = '', ...rest] = entering({ files: this.files, uid: this.uid, argv });
    return spawn(program, rest, { cwd: this.project.workspace, env: this.environment, stdio: 'pipe' });
  }

  holdfast(words: readonly string[], input = ''): Promise<Outcome> {
    return outcomeOf(this.start(words), input);
  }

  /** Runs a command in a box. */
  run(argv: readonly string[], { backend = 'native', flags = [], input }: RunOptions = {}): Promise<Outcome> {
    return this.holdfast(['run', '--backend', backend, ...flags, '--', ...argv], input);
  }

  /** Runs a shell script in a box. */
  inside(script: string, options: RunOptions = {}): Promise<Outcome> {
    return this.run(['sh', '-c', script], options);
  }

  /** The journal, oldest entry first. */
  journal(): readonly Readonly<Record<string, unknown>>[] {
    const lines = readFileSync(join(this.project.state, 'journal.jsonl'), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  private own(path: string, content: string): string {
    const file = join(this.project.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  private giveAway(): void {
    chmodSync(this.project.root, 0o755);
    if (this.uid === undefined) return;
    chownSync(this.project.root, this.uid, this.uid);
    spawnSync('chown', ['-R', `${this.uid}:${this.uid}`, this.project.root]);
  }
}

const patience = 25_000;

/** A process's output until its end. */
export function outcomeOf(child: ChildProcess, input = '', longest = patience): Promise<Outcome> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  child.stdin?.on('error', () => undefined).end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), longest);
  return new Promise((resolve) => {
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ status, ...output });
    });
  });
}
