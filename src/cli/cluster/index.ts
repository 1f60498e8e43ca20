import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { ClusterRequest } from '../../cluster/index.ts';
import { boxOptions, boxOptionsUsage } from '../box-options.ts';
import { type Command, type CommandInput, isSet, jsonText, optionText, optionTexts } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast cluster render [OPTIONS] [--json] -- COMMAND [ARGUMENT...]

Prints Kubernetes manifests for COMMAND under the policy of this workspace, as YAML. It talks to no cluster. What a
cluster cannot hold is refused by name. docs/kubernetes.md says what the manifests trust.

  --kind KIND         \`sandbox\` of kubernetes-sigs/agent-sandbox (default), or \`pod\`
  --image IMAGE       image with Holdfast and the programs of COMMAND (default: holdfast:VERSION)
  --name NAME         name of the objects (default: holdfast)
  --namespace NS      namespace of the objects (default: default)
  --claim             a template and a claim on it, instead of a sandbox
  --pool N            a template and a warm pool of N sandboxes; each starts COMMAND at once
  --runtime-class C   RuntimeClass of the pod (default: what the policy's guarantees need)
  --json              print a List as JSON
${boxOptionsUsage}`;

export const clusterCommand: Command = {
  name: 'cluster',
  usage,
  options: {
    ...boxOptions,
    kind: { type: 'string' },
    image: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
    claim: { type: 'boolean' },
    pool: { type: 'string' },
    'runtime-class': { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  async run(input) {
    const [action, ...more] = input.positionals;
    if (action !== 'render' || more.length > 0)
      throw usageError(`expected \`render\`, got ${JSON.stringify(input.positionals.join(' '))}`);
    if (input.rest === undefined || input.rest.length === 0) throw usageError('there is no command to render');
    const { manifestsYaml, renderCluster } = await import('../../cluster/index.ts');
    const manifests = renderCluster(await requestOf(input, input.rest));
    input.io.stdout.write(
      isSet(input.values['json'])
        ? jsonText({ apiVersion: 'v1', kind: 'List', items: manifests })
        : manifestsYaml(manifests),
    );
    return 0;
  },
};

/** Plans for a container, whatever this machine could hold. */
async function requestOf(input: CommandInput, argv: readonly string[]): Promise<ClusterRequest> {
  const { values, io } = input;
  refuseHere(values);
  const { planClusterPlace } = await import('./plan-cluster-place.ts');
  const placed = planClusterPlace(profiledSession(input), io.environment, argv);
  const pool = optionText(values['pool']);
  const runtimeClass = optionText(values['runtime-class']);
  return {
    ...placed,
    kind: kindOf(optionText(values['kind']) ?? 'sandbox'),
    name: optionText(values['name']) ?? 'holdfast',
    namespace: optionText(values['namespace']) ?? 'default',
    image: optionText(values['image']) ?? `holdfast:${placed.version}`,
    delivery: isSet(values['claim']) ? 'claim' : 'direct',
    home: homedir(),
    options: ['host', 'preset', 'env'].flatMap((name) =>
      optionTexts(values[name]).flatMap((value) => [`--${name}`, value]),
    ),
    ...(pool === undefined ? {} : { pool: /^\d{1,9}$/u.test(pool) ? Number(pool) : Number.NaN }),
    ...(runtimeClass === undefined ? {} : { runtimeClass }),
  };
}

/** Refuses options that the pod's own Holdfast cannot get. */
function refuseHere(values: CommandInput['values']): void {
  for (const name of ['socket', 'profile', 'backend', 'read', 'write', 'forward'])
    if (values[name] !== undefined)
      throw new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot hold --${name}, which is about this machine`, {
        remedy: `leave --${name} out`,
      });
}

function kindOf(kind: string): ClusterRequest['kind'] {
  if (kind === 'sandbox' || kind === 'pod') return kind;
  throw usageError(`there is no kind ${JSON.stringify(kind)}`);
}

function usageError(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see `holdfast cluster --help`' });
}
