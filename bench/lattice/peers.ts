import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bubblewrap, type Peer } from '../lib/peers.ts';
import type { Scratch } from '../lib/scratch.ts';
import { runCommand } from '../lib/spawn.ts';

export interface NamedPeer {
  readonly name: string;
  readonly peer: Peer;
}

export const runsc = 'runsc do';

/**
 * Other ways to isolate a program, as a careful user would call them. A way that cannot start `true` here is absent,
 * with its message.
 */
export function latticePeers({ workspace, environment }: Scratch): Promise<readonly NamedPeer[]> {
  const peers: readonly NamedPeer[] = [
    { name: 'bwrap', peer: bubblewrap(workspace) },
    {
      name: runsc,
      peer: program(
        'runsc',
        '--network=none',
        '--platform=ptrace',
        '--ignore-cgroups',
        ...(process.getuid?.() === 0 ? [] : ['--rootless']),
        'do',
      ),
    },
    {
      name: 'unshare',
      peer: program(
        'unshare',
        '--user',
        '--map-root-user',
        '--mount',
        '--pid',
        '--fork',
        '--uts',
        '--ipc',
        '--net',
        '--mount-proc',
      ),
    },
    { name: 'firejail', peer: program('firejail', '--quiet', '--noprofile', '--net=none') },
  ];
  return Promise.all(
    peers.map(async ({ name, peer }) => ({
      name,
      peer: peer.kind === 'absent' ? peer : await tried(peer, { cwd: workspace, env: environment }),
    })),
  );
}

function program(name: string, ...options: readonly string[]): Peer {
  const path = ['/usr/bin', '/usr/local/bin', '/bin'].map((directory) => join(directory, name)).find(existsSync);
  return path === undefined
    ? { kind: 'absent', reason: `${name} is not installed` }
    : { kind: 'present', prefix: [path, ...options] };
}

async function tried(
  peer: Extract<Peer, { kind: 'present' }>,
  options: Parameters<typeof runCommand>[1],
): Promise<Peer> {
  try {
    await runCommand([...peer.prefix, 'true'], { ...options, timeout: 20_000 });
    return peer;
  } catch (error) {
    return { kind: 'absent', reason: `it fails here: ${error instanceof Error ? error.message : String(error)}` };
  }
}
