import { credentialsOf, networkPlan, type Policy } from '../policy/index.ts';
import type { HostFacts } from './facts.ts';
import type { FileEntry, NetworkPlan, OpenNetwork } from './types.ts';

/** Files that tell programs how names are found. A box with a network gets its own. */
export const resolverFiles = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/hosts'] as const;

/** In the range that names get their addresses from, and never one of theirs. */
const fakeResolver = '198.18.0.1';
/** Where C libraries look when there is no `/etc/resolv.conf`. */
const defaultResolver = '127.0.0.1';
/** `tcpmux`: nothing that a box would listen on. */
const divertPort = 1;
/** What clients connect to most, for kernels without transparent proxying and policies that do not name ports. */
const usualPorts = [
  22, 80, 443, 1433, 1521, 3000, 3128, 3306, 4318, 5000, 5432, 5671, 5672, 6379, 8000, 8080, 8443, 8888, 9092, 9200,
  9418, 27_017,
] as const;
const mostFallbackPorts = 256;
const routePort = 80;

/** Which doors the box has to the network; closed when the policy could allow nothing. */
export function planNetwork(policy: Policy, facts: Pick<HostFacts, 'ipv6' | 'paths'>): NetworkPlan {
  const wanted = networkPlan(policy);
  if (wanted.kind === 'closed') return wanted;
  // Base URLs of boxes are plain HTTP.
  const routes = credentialsOf(policy).some(({ delivery }) => delivery.baseUrls.length > 0) ? [routePort] : [];
  const ports =
    wanted.ports === 'every'
      ? usualPorts
      : wanted.ports.flatMap(({ from, to }) =>
          Array.from({ length: Math.min(to - from + 1, mostFallbackPorts) }, (_, index) => from + index),
        );
  return {
    kind: 'names',
    families: facts.ipv6 === 'available' ? ['ipv4', 'ipv6'] : ['ipv4'],
    dns: wanted.dns,
    resolver: facts.paths.get('/etc/resolv.conf')?.kind === 'present' ? fakeResolver : defaultResolver,
    divertPort,
    fallbackPorts: [...new Set([...routes, ...ports])].slice(0, mostFallbackPorts),
    loopbackPorts: wanted.loopbackPorts,
    forward: wanted.forward,
    authority: wanted.interception === 'possible' ? 'session' : 'none',
  };
}

/** The box's own resolver files, where the host has such files: they lie over the host's. */
export function resolverMounts(network: NetworkPlan, facts: Pick<HostFacts, 'paths'>): readonly FileEntry[] {
  if (network.kind === 'closed') return [];
  const contents = contentsOf(network);
  return resolverFiles.flatMap((path): readonly FileEntry[] => {
    const fact = facts.paths.get(path);
    return fact?.kind === 'present' ? [{ kind: 'file', target: fact.real, mode: 0o444, content: contents[path] }] : [];
  });
}

/**
 * The box's resolver file where no datagrams leave it: glibc, Go and c-ares ask over TCP then. Other files as they are.
 */
export function resolverOverTcp(file: FileEntry): FileEntry {
  return file.content.endsWith(resolverOptions) && file.content.startsWith('nameserver ')
    ? {
        ...file,
        content: file.content.replace(resolverOptions, `options use-vc${resolverOptions.slice('options'.length)}`),
      }
    : file;
}

const resolverOptions = 'options timeout:5 attempts:2\n';

function contentsOf({ resolver }: OpenNetwork): Readonly<Record<(typeof resolverFiles)[number], string>> {
  const databases = ['passwd', 'group', 'shadow', 'networks', 'protocols', 'services', 'ethers', 'rpc'];
  return {
    '/etc/resolv.conf': `nameserver ${resolver}\n${resolverOptions}`,
    '/etc/nsswitch.conf': [...databases.map((name) => `${name}: files\n`), 'hosts: files dns\n'].join(''),
    // Names of the host's own file would be dialled as bare addresses, which no rule about names covers.
    '/etc/hosts': '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n',
  };
}
