import { clusterRequest } from '../../cluster/session/cluster-request.ts';
import { type ClusterPool, poolManifests } from '../../cluster/session/pools/manage-pools.ts';
import { type CommandInput, optionText, printResult } from '../command.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import {
  clusterOf,
  clusterWishes,
  type ClusterAction,
  connectionOptions,
  objectOptions,
  versionWish,
} from './actions.ts';
import { printManifests } from './render.ts';

const ofPods = objectOptions.filter((name) => name !== 'kind');

export const poolUpAction: ClusterAction = {
  options: [...connectionOptions, ...ofPods, 'size', 'json'],
  takes: { name: true, command: false },
  async run(input) {
    const { session, ...wishes } = clusterWishes(input);
    const cluster = await clusterOf(input);
    const pool = await cluster.pools.up({ ...wishes, session, name: nameIn(input), size: sizeIn(input) });
    printResult(input, pool, tableOf([pool], input));
    return 0;
  },
};

export const poolDownAction: ClusterAction = {
  options: [...connectionOptions, 'json'],
  takes: { name: true, command: false },
  async run(input) {
    const cluster = await clusterOf(input);
    const removed = await cluster.pools.down(nameIn(input));
    printResult(input, { removed }, `${removed.join('\n')}\n`);
    return 0;
  },
};

export const poolListAction: ClusterAction = {
  options: [...connectionOptions, 'json'],
  takes: { name: false, command: false },
  async run(input) {
    const cluster = await clusterOf(input);
    const pools = await cluster.pools.list();
    const none = `No pools in the namespace ${cluster.namespace}. Make one: holdfast cluster pool up NAME\n`;
    printResult(input, { namespace: cluster.namespace, pools }, pools.length === 0 ? none : tableOf(pools, input));
    return 0;
  },
};

export const poolRenderAction: ClusterAction = {
  options: [...ofPods, 'namespace', 'size', 'agent-sandbox', 'json'],
  takes: { name: true, command: false },
  run(input) {
    const { session, ...wishes } = clusterWishes(input);
    const namespace = optionText(input.values['namespace']);
    const objects = {
      ...wishes,
      ...versionWish(input),
      name: nameIn(input),
      ...(namespace === undefined ? {} : { namespace }),
    };
    printManifests(input, poolManifests(clusterRequest(session, ['true'], objects), sizeIn(input)));
    return Promise.resolve(0);
  },
};

function nameIn({ positionals: [name = ''] }: CommandInput): string {
  return name;
}

/** Default: one sandbox waits. */
function sizeIn({ values }: CommandInput): number {
  const size = optionText(values['size']) ?? '1';
  return /^\d{1,9}$/u.test(size) ? Number(size) : Number.NaN;
}

function tableOf(pools: readonly ClusterPool[], { io }: CommandInput): string {
  return terminalTable(pools, columns, { ...lookOf(io), heads: 'always' });
}

const columns: readonly TableColumn<ClusterPool>[] = [
  { head: 'NAME', of: ({ name }) => name },
  { head: 'READY', of: ({ ready, size }) => `${ready}/${size}` },
  { head: 'RUNS', of: ({ claims }) => String(claims) },
  { head: 'SHAPE', of: ({ shape }) => shape.slice(0, 12) },
];
