import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { binary } from '../lib/holdfast.ts';
import { type FakeAnswer, FakeHoldfast } from './fake-holdfast.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly workingDir: string;
}

/** A pod whose containers are processes of this machine, in a separate directory instead of the workspace. */
export interface FakePod {
  readonly directory: string;
  readonly workspace: string;
  readonly command: ChildProcess;
  readonly output: Buffer[];
  /** Later processes of its containers, which end with it. */
  readonly others: Set<ChildProcess>;
  exitCode: number | undefined;
}

/**
 * Does the work of a kubelet for the tests: it starts the command's container, reports its end, and passes its streams.
 * It has no namespaces and no box: `holdfast run` is a script that starts the command. Real `sh` and `tar` carry the
 * workspace.
 */
export class FakeNode {
  readonly pods = new Map<string, FakePod>();
  readonly #root = mkdtempSync(join(tmpdir(), 'holdfast-fake-node-'));
  readonly #store: ObjectStore;
  readonly #starting = new Set<NodeJS.Timeout>();
  readonly holdfast: FakeHoldfast;
  #installed: 'script' | 'program' = 'script';
  #addresses = 0;
  /** Variables of every container. They override those of its manifest. */
  environment: Readonly<Record<string, string | undefined>> = {};
  /** Variables of later processes in a container of this name. */
  readonly ofContainers = new Map<string, Readonly<Record<string, string>>>();
  /** Milliseconds until a pod runs. */
  delay = 20;
  /** A script in place of the image's `tar`. */
  tar: string | undefined;
  /** Replaces the start of the pod. */
  trouble: Record<string, unknown> | undefined;

  constructor(store: ObjectStore) {
    this.#store = store;
    this.holdfast = new FakeHoldfast(store);
    mkdirSync(join(this.#root, 'bin'));
    writeFileSync(join(this.#root, 'bin/holdfast'), imageScript, { mode: 0o755 });
  }

  [Symbol.dispose](): void {
    for (const timer of this.#starting) clearTimeout(timer);
    for (const pod of this.pods.values()) end(pod);
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** The image's Holdfast: a program in place of the script. */
  install(holdfast: string): void {
    this.#installed = 'program';
    rmSync(join(this.#root, 'bin/holdfast'));
    symlinkSync(holdfast, join(this.#root, 'bin/holdfast'));
  }

  schedule(pod: StoredObject): void {
    const timer = setTimeout(() => {
      this.#starting.delete(timer);
      const { namespace, name, uid } = pod.metadata;
      const now = this.#store.get('pods', namespace, name);
      if (now?.metadata.uid !== uid) return;
      if (this.trouble !== undefined) this.#store.change('pods', now, { status: this.trouble });
      else this.#start(now);
    }, this.delay);
    this.#starting.add(timer);
  }

  #start(object: StoredObject): void {
    const [container] = containersOf(object);
    if (container === undefined) return;
    const directory = mkdtempSync(join(this.#root, 'pod-'));
    mkdirSync(`${directory}.turn`);
    mkdirSync(`${directory}.way`);
    // Without a supervisor, there is no way out.
    writeFileSync(`${directory}.way/proxy.env`, '');
    const workspace = container.workingDir;
    const [program = '', ...words] = this.words(container.command.map(expanded), { directory, workspace });
    const environment = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, expanded(value)]));
    const command = spawn(program, words, {
      cwd: directory,
      detached: true,
      env: { ...environment, ...this.environment, PATH: this.path },
      stdio: 'pipe',
    });
    const pod: FakePod = { directory, workspace, command, output: [], others: new Set(), exitCode: undefined };
    for (const stream of [command.stdout, command.stderr])
      stream?.on('data', (bytes: Buffer) => pod.output.push(bytes));
    command.stdin?.on('error', () => undefined);
    this.pods.set(object.metadata.uid, pod);
    const podIP = `10.0.${Math.floor(++this.#addresses / 250)}.${(this.#addresses % 250) + 1}`;
    this.#store.change('pods', object, { status: { ...running(object), podIP } });
    command.once('close', (code, signal) => this.#ended(object.metadata, pod, code ?? 128 + signalNumber(signal)));
  }

  #ended({ namespace, name, uid }: StoredObject['metadata'], pod: FakePod, exitCode: number): void {
    pod.exitCode = exitCode;
    const object = this.#store.get('pods', namespace, name);
    if (object?.metadata.uid !== uid) return;
    this.#store.change('pods', object, {
      status: running(object, { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }),
    });
  }

  /** The words of a container, with the pod's own directory in place of the workspace. */
  words(
    argv: readonly string[],
    { directory, workspace }: Pick<FakePod, 'directory' | 'workspace'>,
  ): readonly string[] {
    return argv.map((word) =>
      word
        .replaceAll(workspace, directory)
        .replaceAll('/run/holdfast-turn', `${directory}.turn`)
        .replaceAll('/run/holdfast-way', `${directory}.way`),
    );
  }

  get path(): string {
    return `${join(this.#root, 'bin')}:${process.env['PATH'] ?? ''}`;
  }

  /** Starts a process in a pod. `kill … 1` means the command, the first process of its container. */
  exec(pod: FakePod, argv: readonly string[], container = 'command'): ChildProcess {
    const answer = this.#installed === 'program' ? undefined : this.holdfast.answer(argv, this.#objectOf(pod));
    if (answer !== undefined) return this.#say(pod, answer);
    const asked = argv[0] === 'tar' && this.tar !== undefined ? ['sh', '-c', this.tar] : argv;
    const [program = '', ...words] = this.words(asked, pod).map((word) =>
      word.replace(/^(kill -s \w+) (-?)1$/u, `$1 -- $2${pod.command.pid}`),
    );
    const child = spawn(program, words, {
      cwd: pod.directory,
      env: { ...this.environment, ...this.ofContainers.get(container), PATH: this.path },
      stdio: 'pipe',
    });
    return ofPod(pod, child);
  }

  #say(pod: FakePod, { stdout, exitCode, end }: FakeAnswer): ChildProcess {
    const child = spawn('sh', ['-c', `cat; exit ${exitCode}`], { stdio: 'pipe' });
    child.stdin.write(stdout);
    if (end !== 'with-its-input') child.stdin.end();
    return ofPod(pod, child);
  }

  #objectOf(pod: FakePod): StoredObject | undefined {
    const [uid] = [...this.pods].find(([, each]) => each === pod) ?? [];
    return this.#store.list('pods', 'agents').find(({ metadata }) => metadata.uid === uid);
  }

  remove(object: StoredObject): void {
    const pod = this.pods.get(object.metadata.uid);
    const gone = (): void => this.#store.remove('pods', object);
    if (pod === undefined || pod.exitCode !== undefined) return void setTimeout(gone, 5);
    pod.command.once('close', gone);
    end(pod);
  }
}

/** The image's Holdfast: it has no box, and the real one relays its questions. */
const imageScript = `#!/bin/sh
[ "$1 $2" = "cluster probe" ] && exec sleep 3600
[ "$1" = approvals ] && exec ${binary} "$@"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`;

function ofPod(pod: FakePod, child: ChildProcess): ChildProcess {
  pod.others.add(child);
  child.once('close', () => pod.others.delete(child));
  return child;
}

function containersOf({ spec }: StoredObject): readonly Container[] {
  return (spec?.['containers'] ?? []) as readonly Container[];
}

function running(
  pod: StoredObject,
  terminated?: { readonly exitCode: number; readonly reason: string },
): Record<string, unknown> {
  return {
    phase: 'Running',
    containerStatuses: containersOf(pod).map(({ name }) => ({
      name,
      state: name === 'command' && terminated !== undefined ? { terminated } : { running: {} },
    })),
  };
}

function end(pod: FakePod): void {
  for (const other of pod.others) other.kill('SIGKILL');
  const { pid, exitCode, signalCode } = pod.command;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

/** The API describes this for `command`: `$$` is a dollar sign. */
function expanded(text: string): string {
  return text.replaceAll('$$', '$');
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal as 'SIGINT' | 'SIGKILL' | 'SIGTERM'] ?? 1;
}
