import { type ChildProcess, execFileSync, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { KubernetesObject } from '../../../src/cluster/types.ts';
import { publishedProfile } from '../rows.ts';
import { podForPodman, type Pod, type PodContainer } from './changes.ts';

/** Users of a pod are these numbers of the machine: `podman` gives the whole range to its only pod. */
const firstUser = 300_000;
export const podImage = 'localhost/holdfast-pod';

/** `procMount: Unmasked` for the command's user. */
const unmask = `let t='';process.stdin.on('data',d=>t+=d).on('end',()=>{const c=JSON.parse(t);
if(c.process.user.uid===1000){delete c.linux.maskedPaths;delete c.linux.readonlyPaths}process.stdout.write(JSON.stringify(c))})`;

export interface PlayerOptions {
  readonly repository: string;
  /** Root of the image, with the programs of the commands. */
  readonly imageRoot: string;
  /** Words that run a command with separate mounts and a separate network. */
  readonly enter: (argv: readonly string[]) => readonly string[];
}

interface VolumeOptions {
  /** Numbers of the pod. Default: its root. */
  readonly owner?: number;
  readonly group?: number;
  readonly mode: string;
  readonly size: string;
}

/** Plays rendered pods with `podman kube play`, one at a time, as the kubelet would start their containers. */
export class PodPlayer implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'holdfast-pods-'));
  readonly #enter: PlayerOptions['enter'];
  #pod: string | undefined;

  /** Builds the image, which takes a minute. */
  constructor({ repository, imageRoot, enter }: PlayerOptions) {
    this.#enter = enter;
    for (const name of ['hooks', 'profiles', 'volumes']) mkdirSync(join(this.#directory, name));
    copyFileSync(publishedProfile, join(this.#directory, 'profiles/seccomp-container.json'));
    const file = (name: string, text: string): void => writeFileSync(join(this.#directory, name), text);
    file('containers.conf', configuration(this.#directory));
    file('volumes/resolv.conf', 'nameserver 93.184.217.53\noptions timeout:1 attempts:1\n');
    file('numbers', `containers:${firstUser}:65536\n`);
    const hook = { path: process.execPath, args: ['node', '-e', unmask] };
    file(
      'hooks/unmask.json',
      JSON.stringify({ version: '1.0.0', hook, when: { always: true }, stages: ['precreate'] }),
    );
    execFileSync('sh', [join(repository, 'scripts/container/image.sh'), podImage], {
      env: { ...process.env, ...this.#environment, CONTAINER_STORAGE: this.#directory, IMAGE_ROOT: imageRoot },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const numbers = join(this.#directory, 'numbers');
    for (const table of ['/etc/subuid', '/etc/subgid']) this.#machine(['mount', '--bind', numbers, table]);
  }

  get #environment(): Readonly<Record<string, string>> {
    return { CONTAINERS_CONF: join(this.#directory, 'containers.conf') };
  }

  /** Creates the pod and starts all its containers except the command's. */
  play(manifests: readonly KubernetesObject[], change: (pod: Pod) => Pod = (pod) => pod): void {
    this.down();
    const rendered = manifests.find(({ kind }) => kind === 'Pod') as Pod;
    const volumes = join(this.#directory, 'volumes');
    for (const { data = {} } of manifests.filter(({ kind }) => kind === 'ConfigMap'))
      for (const [name, text] of Object.entries(data)) writeFileSync(join(volumes, name), text);
    for (const { name, emptyDir } of rendered.spec.volumes)
      if (emptyDir !== undefined)
        // A kubelet makes it writable for everyone, with the group of the pod.
        this.volume(name, { group: rendered.spec.securityContext.fsGroup, mode: '2777', size: sizeOf(emptyDir) });
    const file = join(this.#directory, 'pod.json');
    writeFileSync(file, JSON.stringify(change(podForPodman(rendered, volumes))));
    for (const secret of manifests.filter(({ kind }) => kind === 'Secret')) this.#keep(secret);
    this.#pod = rendered.metadata.name;
    const profiles = join(this.#directory, 'profiles');
    this.#must(['kube', 'play', '--network', 'none', '--start=false', '--seccomp-profile-root', profiles, file]);
    this.#must(['start', `${this.#must(['pod', 'inspect', '--format', '{{.InfraContainerID}}', this.#pod]).trim()}`]);
    this.#plugIn();
    for (const container of rendered.spec.initContainers ?? []) this.#startFirst(container);
  }

  /** Runs the command of the pod to its end. */
  command(): SpawnSyncReturns<string> {
    return this.podman(['start', '--attach', this.#name('command')]);
  }

  /** Runs another program in a running container. */
  exec(container: string, argv: readonly string[]): SpawnSyncReturns<string> {
    return this.podman(['exec', this.#name(container), ...argv]);
  }

  podman(words: readonly string[]): SpawnSyncReturns<string> {
    return this.#machine(this.#podmanWords(words));
  }

  /** Starts the command of the pod, with its streams. */
  startCommand(): ChildProcess {
    return this.#spawn(['start', '--attach', this.#name('command')]);
  }

  /** Starts another program in a running container, with its streams. */
  startIn(container: string, argv: readonly string[]): ChildProcess {
    return this.#spawn(['exec', '--interactive', this.#name(container), ...argv]);
  }

  #spawn(words: readonly string[]): ChildProcess {
    const [program = '', ...rest] = this.#enter(this.#podmanWords(words));
    return spawn(program, rest, { env: { ...process.env, ...this.#environment }, stdio: 'pipe' });
  }

  #podmanWords(words: readonly string[]): readonly string[] {
    const storage = ['--root', join(this.#directory, 'images'), '--runroot', join(this.#directory, 'state')];
    return ['podman', ...storage, ...words];
  }

  inspect(container: string): unknown {
    return JSON.parse(this.#must(['inspect', this.#name(container)]));
  }

  down(): void {
    if (this.#pod === undefined) return;
    const remove = ['pod', 'rm', '--force', '--time', '0', this.#pod];
    // The clean-up of a container that has just ended may keep its mounts busy.
    for (let tries = 0; tries < 20 && this.podman(remove).status !== 0; tries++) spawnSync('sleep', ['0.2']);
    this.#machine(['sh', '-c', 'umount -l "$1"/* 2> /dev/null', 'sh', join(this.#directory, 'volumes')]);
    this.#pod = undefined;
  }

  [Symbol.dispose](): void {
    this.down();
    this.podman(['rmi', '--all', '--force']);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #keep({ metadata: { name }, data }: KubernetesObject): void {
    const file = join(this.#directory, 'secret.json');
    writeFileSync(file, JSON.stringify(data), { mode: 0o600 });
    this.podman(['secret', 'rm', name]);
    this.#must(['secret', 'create', name, file]);
    rmSync(file);
  }

  #startFirst({ name, startupProbe }: PodContainer): void {
    this.#must(['start', ...(startupProbe === undefined ? ['--attach'] : []), this.#name(name)]);
    if (startupProbe === undefined) return;
    for (let tries = 0; this.exec(name, startupProbe.exec.command).status !== 0; tries++) {
      if (tries === 100) throw new Error(`${name} does not start: ${this.podman(['logs', this.#name(name)]).stderr}`);
      spawnSync('sleep', ['0.2']);
    }
  }

  /** A tmpfs of the machine for a volume of the next pod. Returns its directory. */
  volume(name: string, { owner = 0, group = owner, mode, size }: VolumeOptions): string {
    const place = join(this.#directory, 'volumes', name);
    mkdirSync(place, { recursive: true });
    const options = `nosuid,nodev,mode=${mode},uid=${firstUser + owner},gid=${firstUser + group},size=${size}`;
    const { status, stderr } = this.#machine(['mount', '-t', 'tmpfs', '-o', options, name, place]);
    if (status !== 0) throw new Error(`no volume ${name}: ${stderr}`);
    return place;
  }

  /** A cable between the pod's network and the machine's, and a default route. */
  #plugIn(): void {
    const infra = this.#must(['pod', 'inspect', '--format', '{{.InfraContainerID}}', this.#pod ?? '']).trim();
    const pid = this.#must(['inspect', '--format', '{{.State.Pid}}', infra]).trim();
    const script = `ip link add pod0 type veth peer name eth0 netns "$1" && ip address add 10.88.0.1/24 dev pod0 && ip link set pod0 up &&
nsenter --net="/proc/$1/ns/net" sh -c 'ip address add 10.88.0.2/24 dev eth0 && ip link set eth0 up && ip route add default via 10.88.0.1'`;
    const { status, stderr } = this.#machine(['sh', '-c', script, 'sh', pid]);
    if (status !== 0) throw new Error(`no network for the pod: ${stderr}`);
  }

  #name(container: string): string {
    return `${this.#pod}-${container}`;
  }

  #must(words: readonly string[]): string {
    const { status, stdout, stderr } = this.podman(words);
    if (status !== 0) throw new Error(`podman ${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  }

  #machine(argv: readonly string[]): SpawnSyncReturns<string> {
    const [program = '', ...words] = this.#enter(argv);
    const env = { ...process.env, ...this.#environment };
    return spawnSync(program, words, { encoding: 'utf8', env, maxBuffer: 1 << 26 });
  }
}

/** For `mount`, which does not know `Gi`. */
function sizeOf({ sizeLimit = '50%' }: { readonly sizeLimit?: string }): string {
  return sizeLimit.replace(/i$/u, '');
}

// Without root rights, no limit can be raised to podman's own.
function configuration(directory: string): string {
  return `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
base_hosts_file = "none"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
hooks_dir = ["${directory}/hooks"]
`;
}
