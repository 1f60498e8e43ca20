import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { containerProfile } from './profile.ts';
import { type ContainerRow, dockersProfile } from './rows.ts';

/** For every container: no network, and a runtime that works with control groups of both versions. */
const engine = ['--runtime', 'runc', '--cgroup-manager=cgroupfs'];
// Without root rights, no limit can be raised to podman's own.
const common = ['--rm', '--network', 'none', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];

/** `$1` directory, then podman's words. Numbers for a user without root, which /etc of the machine may lack. */
const asUser = `
directory=$1; shift
mount --make-rshared / && mount --bind "$directory/numbers" /etc/subuid && mount --bind "$directory/numbers" /etc/subgid || exit 99
exec setpriv --reuid 1000 --regid 1000 --clear-groups env -i PATH="$PATH" HOME="$directory/home" \\
  XDG_RUNTIME_DIR="$directory/run" podman "$@"
`;

/** Separate images and containers, apart from those of the machine. */
export class Containers implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'holdfast-containers-'));
  readonly #storage: readonly string[];
  readonly #profile = join(this.#directory, 'docker-default.json');
  /** The image's root, which its user can reach. */
  readonly #root = join(this.#directory, 'root');

  /** Builds the image, which takes most of a minute. */
  constructor(repository: string) {
    this.#storage = ['--root', join(this.#directory, 'images'), '--runroot', join(this.#directory, 'state')];
    try {
      execFileSync('sh', [join(repository, 'scripts/container/image.sh'), 'localhost/holdfast'], {
        env: { ...process.env, CONTAINER_STORAGE: this.#directory },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      writeFileSync(this.#profile, JSON.stringify(containerProfile([])));
      this.#prepareRootless();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** The root of the image without a container. */
  get root(): string {
    return this.#root;
  }

  /** Writes the image as an archive, and returns its path. */
  archive(): string {
    const file = join(this.#directory, 'image.tar');
    execFileSync('podman', [...this.#storage, 'save', '--quiet', '--output', file, 'localhost/holdfast']);
    return file;
  }

  #prepareRootless(): void {
    execFileSync('chmod', ['755', this.#directory]);
    for (const name of ['home', 'run']) mkdirSync(join(this.#directory, name));
    const { stdout } = spawnSync('podman', [...this.#storage, 'image', 'mount', 'localhost/holdfast'], {
      encoding: 'utf8',
    });
    execFileSync('cp', ['-a', stdout.trim(), this.#root]);
    execFileSync('chown', [
      '-Rh',
      '1000:1000',
      this.#root,
      join(this.#directory, 'home'),
      join(this.#directory, 'run'),
    ]);
    const { stdout: name } = spawnSync('id', ['-nu', '1000'], { encoding: 'utf8' });
    writeFileSync(join(this.#directory, 'numbers'), `${name.trim() || '1000'}:200000:65536\n`);
  }

  /** Runs a script of `sh` in a new container, in an empty directory of its user. */
  run({ flags, podman }: Omit<ContainerRow, 'name'>, script: string): SpawnSyncReturns<string> {
    const words = flags.map((flag) => flag.replace(dockersProfile, this.#profile));
    const command = ['sh', '-c', `export HOME=$(mktemp -d); mkdir $HOME/work; cd $HOME/work; ${script}`];
    const options = { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 26 } as const;
    if (podman === 'root')
      return spawnSync(
        'podman',
        [...engine, ...this.#storage, 'run', ...common, ...words, 'localhost/holdfast', ...command],
        options,
      );
    const own = [...engine, 'run', ...common, ...words, '--rootfs', this.#root, ...command];
    return spawnSync('unshare', ['-m', 'sh', '-c', asUser, 'sh', this.#directory, ...own], options);
  }

  [Symbol.dispose](): void {
    spawnSync('podman', [...this.#storage, 'image', 'umount', '--all']);
    spawnSync('podman', [...this.#storage, 'rmi', '--all', '--force']);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
