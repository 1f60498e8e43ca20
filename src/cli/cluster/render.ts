import { manifestsYaml, renderCluster } from '../../cluster/index.ts';
import { clusterRequest } from '../../cluster/session/cluster-request.ts';
import { type CommandInput, isSet, jsonText, optionText } from '../command.ts';
import { clusterWishes, type ClusterAction, objectOptions } from './actions.ts';

export const renderAction: ClusterAction = {
  options: [...objectOptions, 'name', 'namespace', 'claim', 'pool', 'json'],
  takes: { name: false, command: true },
  run: render,
};

async function render(input: CommandInput): Promise<number> {
  const { values, io, rest = [] } = input;
  const { session, ...objects } = clusterWishes(input);
  const [namespace, pool] = [optionText(values['namespace']), optionText(values['pool'])];
  const manifests = renderCluster(
    clusterRequest(session, rest, {
      ...objects,
      delivery: isSet(values['claim']) ? 'claim' : 'direct',
      ...(namespace === undefined ? {} : { namespace }),
      ...(pool === undefined ? {} : { pool: /^\d{1,9}$/u.test(pool) ? Number(pool) : Number.NaN }),
    }),
  );
  io.stdout.write(
    isSet(values['json']) ? jsonText({ apiVersion: 'v1', kind: 'List', items: manifests }) : manifestsYaml(manifests),
  );
  return 0;
}
