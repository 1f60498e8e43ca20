/**
 * Writes encoded plans, without their header, as seeds for the fuzzer of the launcher's decoder: `node fuzz-seeds.ts
 * DIRECTORY`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { bubblewrapCommand } from '../src/backends/bubblewrap/bubblewrap.ts';
import { encodePlan } from '../src/backends/launcher/encode-plan.ts';
import { fullPlan } from '../src/backends/testing/plan.ts';
import { seccompFilter } from '../src/plan/seccomp/filter.ts';
import { host } from '../src/plan/testing/host.ts';
import type { Plan } from '../src/plan/types.ts';

const directory = process.argv[2] ?? 'seeds';
const headerSize = 8;
const oneInstruction = Buffer.from('060000000000ff7f', 'hex');

mkdirSync(directory, { recursive: true });
const seeds = [...wholePlans(), ...smallPlans()];
for (const seed of seeds) writeFileSync(join(directory, createHash('sha1').update(seed).digest('hex')), seed);
console.log(`${seeds.length} seeds in ${directory}`);

/** Real plans: the default policy, a plan with everything, and one that bubblewrap builds. */
function wholePlans(): readonly Buffer[] {
  const real = host({
    tree: { '/bin': '-> usr/bin', '/home/me/.npm': 'directory', '/home/me/.ssh': 'directory' },
    cgroups: { kind: 'v2', directory: '/sys/fs/cgroup/me', controllers: ['memory', 'pids', 'cpu'] },
  }).plan();
  const seccomp = seccompFilter({ architecture: 'x64', ptrace: 'deny' }).bytes;
  const helper = bubblewrapCommand(real, {
    bwrap: '/usr/bin/bwrap',
    launcher: '/opt/holdfast-launch',
    hidden: ['/proc/keys'],
  });
  return [
    encodePlan(real, { seccomp, stderr: 'direct' }),
    encodePlan(real, { seccomp, stderr: 'tail', helper }),
    encode(fullPlan),
  ].map(withoutHeader);
}

/** One part of a plan at a time, so that a few changed bytes reach every record. */
function smallPlans(): readonly Buffer[] {
  const empty: Plan = {
    ...fullPlan,
    command: { argv: ['a'], cwd: '/', environment: {} },
    mounts: [],
    protection: { roots: [], gitDirectories: [], shownRoots: [], names: [], guarded: [], released: [] },
    landlock: { minimumAbi: 0, execution: 'any', rules: [] },
    limits: { grace: 1, cgroups: [] },
  };
  const place = { device: '1', inode: '2', type: 'directory' } as const;
  const group = { directory: '/g', files: [{ name: 'pids.max', value: '1' }] };
  const parts: readonly Plan[] = [
    empty,
    { ...empty, command: fullPlan.command },
    { ...empty, protection: fullPlan.protection },
    { ...empty, landlock: fullPlan.landlock },
    {
      ...empty,
      network: {
        kind: 'names',
        families: ['ipv4', 'ipv6'],
        dns: 'fake',
        resolver: '198.18.0.1',
        divertPort: 1,
        fallbackPorts: [80],
        loopbackPorts: [5432],
        forward: [],
        authority: 'none',
      },
    },
    {
      ...empty,
      keeper: '/state/id',
      mounts: [
        {
          kind: 'overlay',
          lower: '/a',
          target: '/a',
          identity: place,
          layer: { upper: { path: '/u', identity: place }, work: { path: '/w', identity: place } },
        },
      ],
    },
    { ...empty, notify: { kind: 'guard', groups: ['creations', 'connections'] } },
    { ...empty, notify: { kind: 'supervisor', groups: ['opens'] } },
    { ...empty, limits: { ...fullPlan.limits, cgroups: [group] } },
    ...fullPlan.mounts.map((mount) => ({ ...empty, mounts: [mount] })),
  ];
  return parts.map(encode).map(withoutHeader);
}

function encode(plan: Plan): Buffer {
  return encodePlan(plan, { seccomp: oneInstruction, notify: oneInstruction, stderr: 'tail' });
}

function withoutHeader(encoded: Buffer): Buffer {
  return encoded.subarray(headerSize);
}
