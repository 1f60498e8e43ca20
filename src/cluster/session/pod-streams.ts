import { HoldfastError } from '../../errors/index.ts';
import { openStream, pathOf, type RemoteEnd, type RemoteStream } from '../../kube/index.ts';
import type { ClusterConnection } from './connection.ts';

export interface ContainerPlace {
  readonly pod: string;
  readonly container: 'command' | 'courier' | 'supervisor';
}

export interface StreamChoice {
  readonly stdin: 'open' | 'none';
  readonly terminal: 'own' | 'none';
}

type Output = (stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void;

/** Starts another command in a container. */
export function execIn(
  { target, namespace }: ClusterConnection,
  { pod, container, argv, ...choice }: ContainerPlace & StreamChoice & { readonly argv: readonly string[] },
  onOutput: Output,
): Promise<RemoteStream> {
  const call = {
    method: 'GET',
    path: pathOf({ kind: 'Pod', namespace, name: pod, subresource: 'exec' }),
    query: [...argv.map((word) => ['command', word] as const), ...streamQuery(container, choice)],
    doing: `run a command in the pod ${JSON.stringify(pod)}`,
  } as const;
  return openStream(call, target, onOutput);
}

/** Joins the streams of the container's own command. */
export function attachTo(
  { target, namespace }: ClusterConnection,
  { pod, container, ...choice }: ContainerPlace & StreamChoice,
  onOutput: Output,
): Promise<RemoteStream> {
  const call = {
    method: 'GET',
    path: pathOf({ kind: 'Pod', namespace, name: pod, subresource: 'attach' }),
    query: streamQuery(container, choice),
    doing: `attach to the pod ${JSON.stringify(pod)}`,
  } as const;
  return openStream(call, target, onOutput);
}

function streamQuery(container: string, { stdin, terminal }: StreamChoice): readonly (readonly [string, string])[] {
  const [input, own] = [stdin === 'open', terminal === 'own'];
  return [
    ['container', container],
    ['stdin', String(input)],
    ['stdout', 'true'],
    // A terminal has one output.
    ['stderr', String(!own)],
    ['tty', String(own)],
  ];
}

/** Throws `HF_CLUSTER_FAILED` unless a helper's command ended with 0, and `HF_CLUSTER_UNREACHABLE` for a lost one. */
export function insistSuccess(end: RemoteEnd, what: string, said: string): void {
  if (end.kind === 'lost')
    throw new HoldfastError('HF_CLUSTER_UNREACHABLE', `${what} failed: ${end.reason}`, {
      remedy: 'see whether the connection to the API server lasts',
    });
  const words = said.replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
  if (end.kind === 'exited' && end.exitCode === 0) return;
  const why = end.kind === 'failed' ? end.message : `it ended with ${end.exitCode}${words === '' ? '' : `: ${words}`}`;
  throw new HoldfastError('HF_CLUSTER_FAILED', `${what} failed: ${why}`, {
    remedy: 'see whether the image has `tar`, and the node has room',
  });
}

/** Keeps the beginning of the output of a helper. */
export class FirstWords {
  #text = '';

  add(bytes: Buffer): void {
    if (this.#text.length < 2048) this.#text += bytes.toString('utf8');
  }

  get text(): string {
    return this.#text;
  }
}
