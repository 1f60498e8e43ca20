import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../kube/index.ts';
import type { NetworkPlan } from '../../../plan/types.ts';
import { ownNetworks } from '../../index.ts';
import { askPod } from '../ask-pod.ts';
import type { ClusterConnection } from '../connection.ts';
import { type ClusterFinding, heldFinding, missingFinding, unknownFinding } from '../findings.ts';

/** The running pods of a proof. */
export interface StartedProbes {
  readonly listener: KubeObject;
  readonly control: KubeObject;
  readonly behind: KubeObject;
  /** A word that only a probe pod sends. */
  readonly nonce: string;
}

interface Direction {
  readonly told: string;
  readonly from: Exclude<keyof StartedProbes, 'nonce'>;
  readonly to: Exclude<keyof StartedProbes, 'nonce'>;
}

const out: Direction = { told: 'the way out of its pods', from: 'behind', to: 'listener' };
const into: Direction = { told: 'the way into its pods', from: 'control', to: 'behind' };

/**
 * Whether the cluster enforces the `NetworkPolicy` of a run. A control pod tries the same connection without a policy,
 * before and after. If the control fails, nothing is proved, and the finding is `unknown`.
 */
export async function proveNetwork(
  connection: ClusterConnection,
  probes: StartedProbes,
  network: NetworkPlan,
): Promise<readonly ClusterFinding[]> {
  const address = addressOf(probes.listener);
  const allowed = network.kind === 'names' && address !== undefined && !ownAddresses.check(address, familyOf(address));
  return [
    allowed
      ? unknownFinding('network-policy', `pods have public addresses here, which ${out.told} includes`)
      : await direction(connection, probes, out),
    await direction(connection, probes, into),
  ];
}

async function direction(
  connection: ClusterConnection,
  probes: StartedProbes,
  { told, from, to }: Direction,
): Promise<ClusterFinding> {
  const first = await reach(connection, probes, { from: 'control', to: 'listener' });
  const { answer, waited } = await reachPatiently(connection, probes, { from, to });
  const last = await reach(connection, probes, { from: 'control', to: 'listener' });
  const failed = [first, last].find((each) => each !== 'reached');
  if (failed !== undefined)
    return unknownFinding(
      'network-policy',
      `whether ${told} is enforced was not shown: a pod without a policy did not reach another one either (${failed})`,
    );
  if (answer.startsWith('stopped '))
    return heldFinding(
      'network-policy',
      `${told} is enforced (${answer.slice(8)})${waited}; a control pod got through`,
    );
  if (answer !== 'reached') return unknownFinding('network-policy', `${told} was not tried: ${answer}`);
  return missingFinding(
    'network-policy',
    `${told} is not enforced: a pod got through the NetworkPolicy of a run`,
    'use a network plug-in that enforces NetworkPolicy, as Calico or Cilium do',
  );
}

/** Milliseconds. Plug-ins need a moment for a new pod. */
const pauses = [1000, 2000, 3000];

async function reachPatiently(
  connection: ClusterConnection,
  probes: StartedProbes,
  way: Pick<Direction, 'from' | 'to'>,
): Promise<{ readonly answer: string; readonly waited: string }> {
  let waited = 0;
  for (const pause of pauses) {
    const answer = await reach(connection, probes, way);
    const told = waited === 0 ? '' : `, but only ${waited / 1000} s after the pod ran`;
    if (answer !== 'reached') return { answer, waited: told };
    await sleep(pause, undefined, { signal: connection.target.signal });
    waited += pause;
  }
  return { answer: await reach(connection, probes, way), waited: `, but only ${waited / 1000} s after the pod ran` };
}

/** `reached`, `stopped` with an errno, or a message about the failure. */
async function reach(
  connection: ClusterConnection,
  probes: StartedProbes,
  { from, to }: Pick<Direction, 'from' | 'to'>,
): Promise<string> {
  const address = addressOf(probes[to]);
  if (address === undefined) return `the pod ${JSON.stringify(probes[to].metadata.name)} has no address`;
  return askReach(connection, { pod: probes[from].metadata.name, address, nonce: probes.nonce });
}

interface ReachQuestion {
  readonly pod: string;
  readonly address: string;
  readonly nonce: string;
}

/** Tries a connection from the command's container of a pod. */
export async function askReach(connection: ClusterConnection, { pod, address, nonce }: ReachQuestion): Promise<string> {
  const argv = ['holdfast', 'cluster', 'probe', 'reach', `${address}/${nonce}`];
  const answer = await askPod(connection, {
    pod,
    container: 'command',
    argv,
    doing: 'a connection between probe pods',
  });
  const text = answer.stdout.toString('latin1').trim();
  if (/^(?:reached|stopped E[A-Z]{2,20})$/u.test(text)) return text;
  return `its program ended with ${answer.exitCode}${answer.said === '' ? '' : `: ${answer.said}`}`;
}

/** A node may send any text. */
export function addressOf({ status }: KubeObject): string | undefined {
  const address = status?.['podIP'];
  return typeof address === 'string' && isIP(address) !== 0 ? address : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

const ownAddresses = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const)
  for (const network of ownNetworks[family]) {
    const [address = '', prefix] = network.split('/');
    ownAddresses.addSubnet(address, Number(prefix), family);
  }
