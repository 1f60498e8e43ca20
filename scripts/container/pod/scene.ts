import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { KubernetesObject } from '../../../src/cluster/types.ts';
import { has, Project } from '../../../test/lib/holdfast.ts';
import { startMachine } from '../../../test/lib/machine.ts';
import type { Pod, PodContainer } from './changes.ts';
import { podImage, PodPlayer } from './player.ts';

const repository = resolve(import.meta.dirname, '../../..');
const imageRoot = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdfast/debian-root-pod');
const programs = ['podman', 'buildah', 'runc', 'catatonit', 'newuidmap', 'nsenter', 'ip'];

/** The reason why no pod can be played here, or an empty text. */
export function podProblem(): string {
  if (process.getuid?.() !== 0) return 'only root can build the image';
  const absent = programs.find((program) => !has(program) && !existsSync(`/usr/libexec/podman/${program}`));
  if (absent !== undefined) return `${absent} is missing`;
  return existsSync(imageRoot) ? '' : 'scripts/debian-root.sh has not made the root `pod`';
}

/** `$1` is Node, `$2` the program. */
const serveNames = `ip address add 93.184.217.53/32 dev lo && exec "$1" --no-warnings --input-type=module -e "$2"`;

/** The password of a cache on the internet, which accepts no other. */
export const cachePassword = 'real-EXAMPLE-password-of-the-cache';

/** The part of Redis that a client of one key needs: the words of a command are lines. */
const cache = `import { createServer } from 'node:net';
createServer((socket) => socket.on('error', () => {}).on('data', (bytes) => {
  const [name = '', ...rest] = bytes.toString().split('\\r\\n').filter((word) => !/^[*$]/.test(word));
  const answers = { AUTH: rest.includes('${cachePassword}') ? '+OK' : '-WRONGPASS no', GET: '+value of ' + rest[0] };
  socket.write((answers[name.toUpperCase()] ?? '-ERR unknown command') + '\\r\\n');
})).listen(6379);`;

/** The names of the attacks' internet, whose servers have every name at the address of `test.example`. */
const nameServer = `${cache}
import { serveNames } from '${join(repository, 'attacks/world/name-server.ts')}';
await serveNames({ port: 53, records: {}, canary: '', log() {} }); console.log('serving');`;

/** A machine with an internet, a player of pods on it, and a workspace whose pods it renders. */
export class PodScene implements AsyncDisposable {
  readonly player: PodPlayer;
  readonly #machine: Awaited<ReturnType<typeof startMachine>>;
  readonly #directory: string;
  readonly #names: ChildProcess;
  readonly #project = new Project();

  private constructor(machine: Awaited<ReturnType<typeof startMachine>>, directory: string, names: ChildProcess) {
    this.#machine = machine;
    this.#directory = directory;
    this.#names = names;
    // A working directory in the namespace's own mounts: `getwd` fails in one from outside.
    const enter = (argv: readonly string[]) => machine.words('/', ['sh', '-c', 'cd / && exec "$@"', 'sh', ...argv]);
    this.player = new PodPlayer({ repository, imageRoot, enter });
  }

  static async open(): Promise<PodScene> {
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-pod-machine-'));
    const machine = await startMachine({ directory });
    const words = ['sh', '-c', serveNames, 'sh', process.execPath, nameServer];
    const [program = '', ...rest] = machine.words('/', words);
    const names = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(names.stdout, 'data');
    return new PodScene(machine, directory, names);
  }

  /** The objects of `holdfast cluster render`. */
  render(words: readonly string[], policy?: string): readonly KubernetesObject[] {
    const file = join(this.#project.home, '.config/holdfast/policy.toml');
    if (policy === undefined) rmSync(file, { force: true });
    else this.#project.write('../home/.config/holdfast/policy.toml', policy);
    const fixed = ['cluster', 'render', '--kind', 'pod', '--json', '--image', podImage];
    const { status, stdout, stderr } = this.#project.holdfast([...fixed, ...words]);
    if (status !== 0) throw new Error(`cluster render: ${stderr}`);
    return (JSON.parse(stdout) as { readonly items: readonly KubernetesObject[] }).items;
  }

  /** A change of a pod: its supervisor trusts the certificates of the internet. A real image has such authorities. */
  readonly trusting = (pod: Pod): Pod => {
    const change = (container: PodContainer): PodContainer =>
      container.name !== 'supervisor'
        ? container
        : {
            ...container,
            env: [...(container.env ?? []), { name: 'NODE_EXTRA_CA_CERTS', value: '/run/ca.pem' }],
            volumeMounts: [...(container.volumeMounts ?? []), { name: 'ca', mountPath: '/run/ca.pem', readOnly: true }],
          };
    const { containers, volumes } = pod.spec;
    const ca = { name: 'ca', hostPath: { path: join(this.#directory, 'ca.pem'), type: 'File' } } as const;
    return { ...pod, spec: { ...pod.spec, containers: containers.map(change), volumes: [...volumes, ca] } };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.player[Symbol.dispose]();
    this.#project[Symbol.dispose]();
    this.#names.kill();
    await this.#machine[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** As the runner of the attacks prints it. */
export interface PodAttacks {
  readonly totals: { readonly passed: number; readonly failed: number; readonly refused: number };
  readonly results: readonly {
    readonly name: string;
    readonly family: string;
    readonly backend: string;
    readonly control: 'worked' | 'failed' | 'not run';
    readonly outcome: { readonly kind: string; readonly reasons?: readonly string[]; readonly reason?: string };
  }[];
}

/**
 * Runs the attacks in the command's container of a rendered pod. The pod differs in the command's words and has two
 * more volumes.
 */
export function attackInPod(scene: PodScene, words: readonly string[]): PodAttacks {
  execFileSync('make', ['-s', '-C', join(repository, 'attacks/programs')]);
  const script = 'export HOME=/srv/arenas; cd "$0" && exec node attacks/runner/main.ts --user user --json "$@"';
  const { player } = scene;
  player.down();
  const arenas = player.volume('arenas', { owner: 1000, mode: '755', size: '4G' });
  const command = ['sh', '-c', script, repository, ...words];
  player.play(scene.render(['--', 'true']), (pod) => withAttacks(pod, command, arenas));
  const { stdout, stderr } = player.command();
  if (!stdout.startsWith('{')) throw new Error(`the attacks did not run: ${stderr}${stdout}`);
  return JSON.parse(stdout) as PodAttacks;
}

function withAttacks(pod: Pod, command: readonly string[], arenas: string): Pod {
  const change = (container: PodContainer): PodContainer => {
    if (container.name !== 'command') return container;
    const mounts = [
      { name: 'repository', mountPath: repository, readOnly: true },
      { name: 'arenas', mountPath: '/srv/arenas' },
    ];
    return { ...container, command, volumeMounts: [...(container.volumeMounts ?? []), ...mounts] };
  };
  const { containers, volumes } = pod.spec;
  const more = [
    { name: 'repository', hostPath: { path: repository, type: 'Directory' } },
    { name: 'arenas', hostPath: { path: arenas, type: 'Directory' } },
  ] as const;
  return { ...pod, spec: { ...pod.spec, containers: containers.map(change), volumes: [...volumes, ...more] } };
}
