import { join } from 'node:path';
import { holdfast, type Peer } from '../lib/peers.ts';
import type { Scratch } from '../lib/scratch.ts';
import { writePolicy } from '../network/ways.ts';

/** The way to run a client: directly, or in a box under its own policy. */
export interface Around {
  readonly name: string;
  readonly peer: Peer;
  readonly environment: NodeJS.ProcessEnv;
}

/** The key behind a credential, which no box has, and its place in the environment of `holdfast`. */
export const key = { variable: 'BENCH_SECRET', value: 'bench-EXAMPLE-5Jw8nQ2vXc7LtR4y' } as const;

/** `own`: the variables in the client's environment. */
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
