import * as v from 'valibot';
import type { ClusterRequest } from '../../index.ts';
import { askPod, type PodAnswer } from '../ask-pod.ts';
import type { ClusterConnection } from '../connection.ts';
import { type ClusterFinding, heldFinding, missingFinding, unknownFinding } from '../findings.ts';
import type { ContainerAttempt } from './inside.ts';
import { askReach } from './prove-network.ts';

/** A pod as in a run, without the start of its command. */
export interface RunProbe {
  readonly pod: string;
  /** Address of a listening pod. */
  readonly address: string | undefined;
  readonly nonce: string;
}

/** Tries to leave the command's container, beside its box, and has Holdfast prove its own box there. */
export async function proveContainer(
  connection: ClusterConnection,
  probe: RunProbe,
  { plan }: Pick<ClusterRequest, 'plan'>,
): Promise<readonly ClusterFinding[]> {
  return [
    ...(plan.network.kind === 'names' ? [await packets(connection, probe)] : []),
    ...(await container(connection, probe)),
    await box(connection, probe),
  ];
}

async function packets(connection: ClusterConnection, { pod, address, nonce }: RunProbe): Promise<ClusterFinding> {
  if (address === undefined) return unknownFinding('packets', 'no other pod was there to connect to');
  const answer = await askReach(connection, { pod, address, nonce });
  if (answer === 'reached')
    return missingFinding(
      'packets',
      'a packet of the command’s container left its pod around the supervisor',
      'see whether the nodes have nftables, and whether the image’s `nft` works there',
    );
  if (!answer.startsWith('stopped ')) return unknownFinding('packets', answer);
  return heldFinding('packets', `none of the command’s container left its pod (${answer.slice(8)})`);
}

const attemptsSchema = v.pipe(
  v.array(
    v.object({
      attempt: v.picklist(['root', 'raw-socket', 'token', 'root-file-system']),
      result: v.picklist(['stopped', 'escaped']),
      how: v.pipe(v.string(), v.maxLength(100)),
    }),
  ),
  v.length(4),
);

const attemptWords: Readonly<Record<ContainerAttempt['attempt'], { readonly told: string; readonly remedy: string }>> =
  {
    root: { told: 'to become root', remedy: 'see what changes the security context of pods, as a webhook' },
    'raw-socket': { told: 'to open a raw socket', remedy: 'see what gives capabilities to containers' },
    token: { told: 'to read a token of a service account', remedy: 'see what mounts tokens into pods' },
    'root-file-system': {
      told: 'to write to the root file system',
      remedy: 'see what changes `readOnlyRootFilesystem` of pods',
    },
  };

async function container(connection: ClusterConnection, { pod }: RunProbe): Promise<readonly ClusterFinding[]> {
  const argv = ['holdfast', 'cluster', 'probe', 'escape'];
  const answer = await askPod(connection, { pod, container: 'command', argv, doing: 'the attempts in the container' });
  const tried = parsed(attemptsSchema, answer);
  if (tried === undefined) return [unknownFinding('container', wordsOf(answer))];
  return tried.map(({ attempt, result, how }) => {
    const { told, remedy } = attemptWords[attempt];
    return result === 'stopped'
      ? heldFinding('container', `the attempt ${told} was stopped (${how})`)
      : missingFinding('container', `the attempt ${told} succeeded`, remedy);
  });
}

const proofSchema = v.object({
  verdict: v.picklist(['holds', 'fails']),
  proofs: v.array(
    v.object({
      title: v.string(),
      guarantee: v.string(),
      backend: v.string(),
      promised: v.string(),
      result: v.picklist(['held', 'escaped', 'inconclusive']),
    }),
  ),
});

/** Milliseconds for all attempts of `holdfast doctor --prove` on a busy node. */
const proofPatience = 400_000;

async function box(connection: ClusterConnection, { pod }: RunProbe): Promise<ClusterFinding> {
  const argv = ['holdfast', 'doctor', '--prove', '--json'];
  const doing = '`holdfast doctor --prove` in the container';
  const answer = await askPod(connection, {
    pod,
    container: 'command',
    argv,
    doing,
    longest: 4 << 20,
    patience: proofPatience,
  });
  const report = parsed(proofSchema, answer);
  if (report === undefined) return unknownFinding('box', `${doing} said nothing that can be read: ${wordsOf(answer)}`);
  const stopped = report.proofs.filter(({ result }) => result === 'held').length;
  const escaped = report.proofs.find(({ promised, result }) => promised === 'kernel' && result === 'escaped');
  if (report.verdict === 'holds' && escaped === undefined && stopped > 0)
    return heldFinding('box', `Holdfast's box holds in the container: ${stopped} attempts to escape were stopped`);
  const why = escaped === undefined ? 'no backend holds the default policy' : `${escaped.backend}: ${escaped.title}`;
  return missingFinding(
    'box',
    `Holdfast's box does not hold in the container: ${why.slice(0, 200)}`,
    'see docs/containers.md, and whether each node has the seccomp profile (docs/kubernetes.md)',
  );
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  { stdout }: PodAnswer,
): v.InferOutput<Schema> | undefined {
  try {
    const result = v.safeParse(schema, JSON.parse(stdout.toString('utf8')));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf({ exitCode, said }: PodAnswer): string {
  return `its program ended with ${exitCode}${said === '' ? '' : `: ${said}`}`;
}
