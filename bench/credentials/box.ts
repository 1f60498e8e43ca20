import { join } from 'node:path';
import { holdfast, type Peer } from '../lib/peers.ts';
import type { Scratch } from '../lib/scratch.ts';
import { writePolicy } from '../network/ways.ts';

/** How to run a client: as it is, or in a box under a policy of its own. */
export interface Around {
  readonly name: string;
  readonly peer: Peer;
  readonly environment: NodeJS.ProcessEnv;
}

/** What no box has: the key that a credential stands for, and its place in the environment of `holdfast`. */
export const key = { variable: 'BENCH_SECRET', value: 'bench-EXAMPLE-5Jw8nQ2vXc7LtR4y' } as const;

/** `own`: what the client finds in its environment. */
export function direct(scratch: Scratch, name: string, own: NodeJS.ProcessEnv): Around {
  return { name, peer: { kind: 'present', prefix: [] }, environment: { ...scratch.environment, ...own } };
}

export function box(scratch: Scratch, name: string, policy: string): Around {
  const configuration = join(scratch.beside, name.replaceAll(/\W+/gu, '-'));
  writePolicy(configuration, `version = 1\n${policy}`);
  return {
    name,
    peer: holdfast(),
    environment: { ...scratch.environment, XDG_CONFIG_HOME: configuration, [key.variable]: key.value },
  };
}
