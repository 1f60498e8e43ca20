import { join } from 'node:path';
import { difference } from '../lib/compare.ts';
import { absent, type Contestant, runner } from '../lib/contestant.ts';
import { measure } from '../lib/measure.ts';
import { holdfast } from '../lib/peers.ts';
import { timeTable } from '../lib/report.ts';
import { runCommand } from '../lib/spawn.ts';
import type { NetworkBench } from './bench.ts';
import type { Part } from './part.ts';
import { writePolicy } from './ways.ts';

const policies = {
  closed: 'version = 1\n',
  open: 'version = 1\n[network]\nhosts = ["bench.example"]\n',
  ended:
    'version = 1\n[network]\nhosts = ["bench.example"]\n[[http]]\nname = "bench-requests"\ndecision = "deny"\nhosts = ["bench.example"]\nmethods = ["POST"]\n',
} as const;

const rows = {
  closed: 'holdfast run -- true, network closed',
  open: 'holdfast run -- true, network open',
  ended: 'holdfast run -- true, network open, rules about requests',
} as const;

/** The cost of a network for a command that does not use it. */
export async function starts(bench: NetworkBench): Promise<Part> {
  const contestants = (Object.keys(policies) as (keyof typeof policies)[]).map((kind) => starting(bench, kind));
  const results = await measure(contestants, bench.sizes.starts);
  return {
    title: 'start',
    text: timeTable(results, rows.closed),
    budgets: [
      {
        claim: 'start: network open − closed',
        measured: difference(results, rows.open, rows.closed),
        limit: 3,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

function starting({ scratch }: NetworkBench, kind: keyof typeof policies): Contestant {
  const peer = holdfast();
  if (peer.kind === 'absent') return absent(rows[kind], peer.reason);
  const configuration = join(scratch.beside, `config-${kind}`);
  writePolicy(configuration, policies[kind]);
  const options = { cwd: scratch.workspace, env: { ...scratch.environment, XDG_CONFIG_HOME: configuration } };
  return runner(rows[kind], () => runCommand([...peer.prefix, 'true'], options));
}
