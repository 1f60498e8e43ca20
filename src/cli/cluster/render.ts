import { type KubernetesObject, manifestsYaml, renderCluster } from '../../cluster/index.ts';
import { clusterRequest } from '../../cluster/session/cluster-request.ts';
import { type CommandInput, isSet, jsonText, optionText } from '../command.ts';
import { clusterWishes, type ClusterAction, objectOptions, versionWish } from './actions.ts';

export const renderAction: ClusterAction = {
  options: [...objectOptions, 'name', 'namespace', 'agent-sandbox', 'json'],
  takes: { name: false, command: true },
  run: render,
};

async function render(input: CommandInput): Promise<number> {
  const { values, rest = [] } = input;
  const { session, ...objects } = clusterWishes(input);
  const namespace = optionText(values['namespace']);
  const request = clusterRequest(session, rest, {
    ...objects,
    ...versionWish(input),
    ...(namespace === undefined ? {} : { namespace }),
  });
  printManifests(input, renderCluster(request));
  return 0;
}

export function printManifests({ values, io }: CommandInput, manifests: readonly KubernetesObject[]): void {
  io.stdout.write(
    isSet(values['json']) ? jsonText({ apiVersion: 'v1', kind: 'List', items: manifests }) : manifestsYaml(manifests),
  );
}
