import { type ChildProcess, execFileSync, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A Docker engine of its own, without a bridge. Images are copied (`vfs`), because the machine's root may be an overlay. */
export class Docker implements Disposable {
  readonly #directory: string;
  readonly #engine: ChildProcess;

  private constructor(directory: string, engine: ChildProcess) {
    this.#directory = directory;
    this.#engine = engine;
  }

  /** Undefined on a machine without `dockerd`. `image`: an archive of `localhost/holdfast`. */
  static async start(image: string): Promise<Docker | undefined> {
    if (spawnSync('dockerd', ['--version']).status !== 0) return undefined;
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-docker-'));
    const places = ['--data-root', join(directory, 'data'), '--exec-root', join(directory, 'run')];
    const network = ['--bridge', 'none', '--iptables=false'];
    const socket = ['--pidfile', join(directory, 'pid'), '-H', `unix://${join(directory, 'socket')}`];
    const log = openSync(join(directory, 'log'), 'w');
    const engine = spawn('dockerd', [...places, '--storage-driver', 'vfs', ...network, ...socket], {
      stdio: ['ignore', log, log],
    });
    const docker = new Docker(directory, engine);
    try {
      for (let tries = 0; docker.#call(['version']).status !== 0; tries += 1) {
        if (tries > 100) throw new Error('dockerd does not answer');
        await setTimeout(200);
      }
      execFileSync('docker', [...docker.#host, 'load', '--quiet', '--input', image], { stdio: 'ignore' });
      return docker;
    } catch (error) {
      docker[Symbol.dispose]();
      throw error;
    }
  }

  get version(): string {
    return this.#call(['version', '--format', '{{.Server.Version}}']).stdout.trim();
  }

  /** Runs a script of `sh` in a new container, in an empty directory of its user. */
  run(flags: readonly string[], script: string): SpawnSyncReturns<string> {
    const command = ['sh', '-c', `export HOME=$(mktemp -d); mkdir $HOME/work; cd $HOME/work; ${script}`];
    return this.#call(['run', '--rm', '--network', 'none', ...flags, 'localhost/holdfast', ...command]);
  }

  [Symbol.dispose](): void {
    this.#engine.kill('SIGTERM');
    spawnSync('tail', ['--pid', String(this.#engine.pid), '-f', '/dev/null'], { timeout: 20_000 });
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #host(): readonly string[] {
    return ['-H', `unix://${join(this.#directory, 'socket')}`];
  }

  #call(words: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync('docker', [...this.#host, ...words], { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 26 });
  }
}
