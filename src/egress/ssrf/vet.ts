import { type Host, normaliseHost } from '../../policy/normalise/host.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { Authority, Destination, Refused, Resolution, Vetted } from '../types.ts';
import { type AddressClass, classifyAddress, embeddedV4 } from './classify-address.ts';
import { networkContains, networkOf, type OwnAddresses } from './network.ts';
import { letsPass, refuse } from './refuse.ts';

export interface VetContext {
  readonly authority: Pick<Authority, 'decideAddress'>;
  readonly own: OwnAddresses;
  /**
   * `decode`: vets the IPv4 address in an address of the NAT64 prefix. Hosts without IPv4 need this, because their
   * resolver returns such addresses (RFC 6147). Default: `decode` on a host without an IPv4 address besides loopback,
   * else `refuse`.
   */
  readonly nat64?: 'refuse' | 'decode';
}

/** More addresses than any honest service has. The resolver stops at the same number. */
const mostAddresses = 16;

/** The fake addresses of the box's resolver. No policy can let a real connection go there. */
const fakeRange = networkOf('198.18.0.0/15');

/**
 * Decides whether a destination may be dialled, and at which addresses. An address literal needs no resolution. For a
 * name, ALL answers and ALL aliases have to pass, because rebinding begins with one private answer among public ones. A
 * special-purpose address passes only if a pattern of the policy spells out addresses. Under a special name, every
 * address needs such a pattern.
 */
export function vet(
  destination: Destination,
  resolution: Resolution | undefined,
  context: VetContext,
): Vetted | Refused {
  const host = normaliseHost(destination.host);
  if (host === undefined || host.text !== destination.host) return malformed(destination.host);
  if (host.address !== undefined) return vetAll([host.text], undefined, { destination, context });
  if (resolution === undefined || resolution.addresses.length === 0)
    return unresolved(destination.host, 'it has no addresses');
  if (resolution.addresses.length > mostAddresses)
    return unresolved(destination.host, `it has more than ${mostAddresses} addresses`);
  const names = [host, ...resolution.aliases.map((name) => normaliseHost(name))];
  if (names.some((name) => name === undefined || name.address !== undefined))
    return unresolved(destination.host, 'its alias is not a name');
  return vetAll(resolution.addresses, names.flatMap((name) => specialName(name?.text ?? ''))[0], {
    destination,
    context,
  });
}

interface Vetting {
  readonly destination: Destination;
  readonly context: VetContext;
}

type SpecialNameFound = NameClass & { readonly kind: 'special'; readonly name: string };

function vetAll(texts: readonly string[], name: SpecialNameFound | undefined, vetting: Vetting): Vetted | Refused {
  const addresses = new Set<string>();
  for (const text of texts) {
    const host = normaliseHost(text);
    if (host?.address === undefined) return unresolved(vetting.destination.host, 'an answer is not an address');
    const refused = refusalOf({ text: host.text, parsed: host.address }, name, vetting);
    if (refused !== undefined) return refused;
    addresses.add(host.text);
  }
  return { kind: 'vetted', destination: vetting.destination, addresses: [...addresses] };
}

/** A parsed address with its one spelling. */
interface Spelled {
  readonly text: string;
  readonly parsed: NonNullable<Host['address']>;
}

function refusalOf(
  { text: address, parsed }: Spelled,
  name: SpecialNameFound | undefined,
  { destination, context }: Vetting,
): Refused | undefined {
  const found = classOf({ text: address, parsed }, context);
  if (networkContains(fakeRange, parsed)) return specialAddress(address, found, { destination });
  const verdict = context.authority.decideAddress(address, destination.port);
  if (letsPass(verdict)) return undefined;
  if (found.kind === 'special') return specialAddress(address, found, { destination, verdict });
  if (name !== undefined) return specialNameRefused(name, { destination, address, verdict });
  // If the policy denies a network by address, in a set or by a rule, names that lead to it are denied too.
  const isDenied = verdict.code === 'deny-set' || verdict.code === 'rule';
  return isDenied ? refuse('policy', verdict.message, { remedy: verdict.remedy, verdict }) : undefined;
}

function classOf({ text, parsed }: Spelled, context: VetContext): AddressClass {
  const own = context.own();
  if (own.has(text))
    return {
      kind: 'special',
      block: text,
      source: 'the interfaces of the host',
      reason: "one of the host's own addresses",
    };
  const text4 = embeddedV4(parsed);
  const embedded = text4 === undefined ? undefined : normaliseHost(text4)?.address;
  if (text4 === undefined || embedded === undefined || (context.nat64 ?? nat64By(own)) === 'refuse')
    return classifyAddress(parsed);
  return classOf({ text: text4, parsed: embedded }, context);
}

function nat64By(own: ReadonlySet<string>): 'refuse' | 'decode' {
  return [...own].some((address) => !address.includes(':') && !address.startsWith('127.')) ? 'refuse' : 'decode';
}

function specialName(name: string): readonly SpecialNameFound[] {
  const found = classifyName(name);
  return found.kind === 'special' ? [{ ...found, name }] : [];
}

function malformed(host: string): Refused {
  return refuse('malformed-host', `"${host}" is not a host name or address in its standard form`, {
    remedy: 'write a host name, or an address as 192.0.2.1 or 2001:db8::1',
  });
}

function unresolved(host: string, why: string): Refused {
  return refuse('resolver-failed', `the answer for ${host} cannot be used: ${why}`, {
    remedy: 'check the answer of the resolver on the host for this name',
  });
}

function specialAddress(
  address: string,
  found: AddressClass,
  { destination, verdict }: { readonly destination: Destination; readonly verdict?: Verdict },
): Refused {
  const what =
    found.kind === 'special' ? `${found.reason} (${found.block}, ${found.source})` : 'reserved for the names of a box';
  const via = destination.host === address ? '' : `${destination.host} leads to `;
  const remedy =
    verdict === undefined
      ? 'nothing opens this range: the resolver of the box hands it out'
      : grantRemedy(address, destination.port);
  return refuse(
    'special-address',
    `${via}${address}, which is ${what}`,
    verdict === undefined ? { remedy } : { remedy, verdict },
  );
}

function specialNameRefused(
  found: SpecialNameFound,
  {
    destination,
    address,
    verdict,
  }: { readonly destination: Destination; readonly address: string; readonly verdict: Verdict },
): Refused {
  const via = destination.host === found.name ? '' : `${destination.host} is an alias of `;
  return refuse('special-name', `${via}${found.name}, which stands for ${found.reason} (${found.source})`, {
    remedy: grantRemedy(address, destination.port),
    verdict,
  });
}

function grantRemedy(address: string, port: number): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `if you mean this address, allow it: add "${host}:${port}" to hosts under [network] of your policy`;
}

type NameClass =
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'special'; readonly pattern: string; readonly source: string; readonly reason: string };

/** Classifies a name, normalised by `normaliseHost`: one of the internet, or a special one. */
export function classifyName(name: string): NameClass {
  const known = specialNames.find((entry) => matches(entry, name));
  if (known !== undefined)
    return {
      kind: 'special',
      pattern: known.extent === 'tree' ? `*.${known.name}` : known.name,
      source: known.source,
      reason: known.meaning,
    };
  if (!name.includes('.'))
    return {
      kind: 'special',
      pattern: 'single label',
      source: 'RFC 7085: names without dots are local',
      reason: 'a name of the local network',
    };
  return { kind: 'ordinary' };
}

function matches({ name: special, extent }: SpecialName, name: string): boolean {
  return name === special || (extent === 'tree' && name.endsWith(`.${special}`));
}

/** A name, or a suffix with all names below it, for the host, its network or its cloud. */
interface SpecialName {
  readonly name: string;
  /** `tree`: the name itself and every name below it. */
  readonly extent: 'exact' | 'tree';
  readonly meaning: string;
  readonly source: string;
}

/** The most precise entry comes first: the first match gives the reason. */
export const specialNames: readonly SpecialName[] = [
  { name: 'localhost', extent: 'tree', meaning: 'the host itself', source: 'RFC 6761 §6.3' },
  { name: 'localdomain', extent: 'tree', meaning: 'the host itself', source: 'hosts files of Linux distributions' },
  {
    name: 'metadata.google.internal',
    extent: 'tree',
    meaning: 'instance metadata of Google Cloud',
    source: 'Google Cloud documentation, VM metadata',
  },
  {
    name: 'metadata.goog',
    extent: 'tree',
    meaning: 'instance metadata of Google Cloud',
    source: 'Google Cloud documentation, VM metadata',
  },
  {
    name: 'metadata.azure.internal',
    extent: 'tree',
    meaning: 'instance metadata of Azure',
    source: 'Azure documentation, instance metadata service',
  },
  {
    name: 'instance-data.ec2.internal',
    extent: 'tree',
    meaning: 'instance metadata of AWS',
    source: 'AWS EC2 user guide, instance metadata',
  },
  {
    name: 'metadata.tencentyun.com',
    extent: 'tree',
    meaning: 'instance metadata of Tencent Cloud',
    source: 'Tencent Cloud documentation, CVM metadata',
  },
  {
    name: 'api.metadata.cloud.ibm.com',
    extent: 'tree',
    meaning: 'instance metadata of IBM Cloud',
    source: 'IBM Cloud documentation, VPC instance metadata',
  },
  {
    name: 'metadata.platformequinix.com',
    extent: 'tree',
    meaning: 'instance metadata of Equinix Metal',
    source: 'Equinix Metal documentation, metadata',
  },
  {
    name: 'metadata.packet.net',
    extent: 'tree',
    meaning: 'instance metadata of Equinix Metal',
    source: 'Equinix Metal documentation, metadata',
  },
  {
    name: 'host.docker.internal',
    extent: 'tree',
    meaning: 'the host of a container',
    source: 'Docker documentation, networking',
  },
  {
    name: 'gateway.docker.internal',
    extent: 'tree',
    meaning: 'the gateway of a container',
    source: 'Docker documentation, networking',
  },
  {
    name: 'host.containers.internal',
    extent: 'tree',
    meaning: 'the host of a container',
    source: 'Podman documentation, podman-run --network',
  },
  {
    name: 'kubernetes.default',
    extent: 'tree',
    meaning: 'the API server of a cluster',
    source: 'Kubernetes documentation, accessing the API from a pod',
  },
  {
    name: 'svc',
    extent: 'tree',
    meaning: 'a service of a cluster',
    source: 'Kubernetes documentation, DNS for services and pods',
  },
  {
    name: 'cluster.local',
    extent: 'tree',
    meaning: 'a service of a cluster',
    source: 'Kubernetes documentation, DNS for services and pods',
  },
  { name: 'local', extent: 'tree', meaning: 'the local link', source: 'RFC 6762 §3' },
  { name: 'internal', extent: 'tree', meaning: 'a private network', source: 'ICANN board resolution 2024.07.29.06' },
  { name: 'home.arpa', extent: 'tree', meaning: 'a home network', source: 'RFC 8375' },
];
