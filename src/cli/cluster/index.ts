import { HoldfastError } from '../../errors/index.ts';
import { boxOptions } from '../box-options.ts';
import { boxOptionsUsage } from '../run-usage.ts';
import type { Command, CommandInput } from '../command.ts';
import type { ClusterAction } from './actions.ts';

const usage = `usage: holdfast cluster run [OPTIONS] -- COMMAND [ARGUMENT...]
       holdfast cluster exec NAME -- COMMAND [ARGUMENT...]
       holdfast cluster attach NAME
       holdfast cluster forward NAME [[HOST:]PORT...] [--json]
       holdfast cluster approvals NAME [list | watch | allow ID | deny ID] [--json]
       holdfast cluster logs [--follow] NAME
       holdfast cluster stop [--discard] [--grace SECONDS] NAME [--json]
       holdfast cluster [list] [--json]
       holdfast cluster pool up [OPTIONS] [--size N] NAME [--json]
       holdfast cluster pool down NAME [--json]
       holdfast cluster pool list [--json]
       holdfast cluster pool render [OPTIONS] [--size N] NAME [--json]
       holdfast cluster doctor [--prove] [OPTIONS] [--json]
       holdfast cluster render [OPTIONS] [--json] -- COMMAND [ARGUMENT...]

Runs COMMAND in a pod under the policy of this workspace. \`run\` sends the workspace, connects the streams, exits with
the status of COMMAND and leaves nothing in the cluster. Its changes wait in a staged layer for
\`holdfast review\`. \`render\` prints the manifests and talks to no cluster. Rules that a cluster cannot hold are refused by
name. A pool holds sandboxes that wait for any command. docs/kubernetes.md lists the needs of a run and the trusted parts.
None of this has run in a real cluster yet.

  --kubeconfig FILE   default: KUBECONFIG, then ~/.kube/config
  --context NAME      context of the kubeconfig (default: its current one)
  --namespace NS      namespace of the objects (default: that of the context; for \`render\`: default)
  --kind KIND         \`sandbox\` of kubernetes-sigs/agent-sandbox (default), or \`pod\`
  --agent-sandbox V   render: version of its API, v1alpha1 (default) or v1beta1; others ask the API server
  --image IMAGE       image with Holdfast and the programs of COMMAND (default: holdfast:VERSION)
  --name NAME         name of the objects (default: holdfast-RANDOM; for \`render\`: holdfast)
  --secret CREDENTIAL=SECRET/KEY  the Secret of the namespace that holds a credential of the policy (repeatable)
  --runtime-class C   RuntimeClass of the pod (default: by the guarantees of the policy)
  --prove             doctor: also try the parts that a run relies on, with pods that are removed again
  --wait SECONDS      run, doctor: how long the pod may take to start (default: 300)
  --detach            run: start COMMAND, print the name and return; \`stop\` collects its changes
  --once, --session   approvals allow: this request now, or until the sandbox ends
  --code 123456       approvals allow: a code of your authenticator
  --follow            logs: until COMMAND ends
  --discard           stop: drop the changes of COMMAND
  --grace SECONDS     stop: time between SIGTERM and SIGKILL (default: 10)
  --pool NAME         run, doctor: in a sandbox that waits in this pool of the same policy, image and workspace
  --size N            pool: sandboxes that wait (default: 1)
  --json              print JSON; run: with --detach
${boxOptionsUsage}`;

/** Loaded on demand: `render` needs no client, and `list` no policy. */
const actions: Readonly<Record<string, () => Promise<ClusterAction>>> = {
  render: async () => (await import('./render.ts')).renderAction,
  run: async () => (await import('./run.ts')).runAction,
  exec: async () => (await import('./run.ts')).execAction,
  attach: async () => (await import('./run.ts')).attachAction,
  forward: async () => (await import('./forward.ts')).forwardAction,
  approvals: async () => (await import('./approvals.ts')).approvalsAction,
  logs: async () => (await import('./manage.ts')).logsAction,
  stop: async () => (await import('./manage.ts')).stopAction,
  list: async () => (await import('./manage.ts')).listAction,
  'pool up': async () => (await import('./pool.ts')).poolUpAction,
  'pool down': async () => (await import('./pool.ts')).poolDownAction,
  'pool list': async () => (await import('./pool.ts')).poolListAction,
  'pool render': async () => (await import('./pool.ts')).poolRenderAction,
  doctor: async () => (await import('./doctor.ts')).doctorAction,
  'probe listen': async () => (await import('./probe.ts')).probeListenAction,
  'probe reach': async () => (await import('./probe.ts')).probeReachAction,
  'probe escape': async () => (await import('./probe.ts')).probeEscapeAction,
};

const ofTwoWords: ReadonlySet<string> = new Set(['pool', 'probe']);
/** `probe` is for the pods of `doctor --prove`. */
const shownActions = Object.keys(actions).filter((name) => !name.startsWith('probe '));

export const clusterCommand: Command = {
  name: 'cluster',
  usage,
  options: {
    ...boxOptions,
    kubeconfig: { type: 'string' },
    context: { type: 'string' },
    kind: { type: 'string' },
    'agent-sandbox': { type: 'string' },
    image: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
    pool: { type: 'string' },
    prove: { type: 'boolean' },
    once: { type: 'boolean' },
    session: { type: 'boolean' },
    code: { type: 'string' },
    size: { type: 'string' },
    'runtime-class': { type: 'string' },
    secret: { type: 'string', multiple: true },
    wait: { type: 'string' },
    detach: { type: 'boolean' },
    follow: { type: 'boolean' },
    discard: { type: 'boolean' },
    grace: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    const length = ofTwoWords.has(input.positionals[0] ?? '') ? 2 : 1;
    const [name, words] = [input.positionals.slice(0, length).join(' '), input.positionals.slice(length)];
    const load = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (load === undefined)
      throw usageError(`expected ${shownActions.join(', ')}, got ${JSON.stringify(input.positionals.join(' '))}`);
    const action = await load();
    const asked = { ...input, positionals: words };
    checkOptions(name, action, asked);
    return action.run(asked);
  },
};

/** An action that ignored an unknown option would mislead the user. */
function checkOptions(
  name: string,
  { options, takes }: ClusterAction,
  { values, positionals, rest }: CommandInput,
): void {
  const unknown = Object.keys(values).find((option) => !options.includes(option));
  if (unknown !== undefined) throw usageError(`\`cluster ${name}\` does not know --${unknown}`);
  const command = (rest ?? []).length;
  const names = takes.more === undefined ? positionals.length : Math.min(positionals.length, 1);
  if (takes.name ? names !== 1 : names !== 0)
    throw usageError(takes.name ? `\`cluster ${name}\` takes one name` : `\`cluster ${name}\` takes no name`);
  if (takes.command && command === 0) throw usageError(`there is no command to ${name}`);
  if (!takes.command && rest !== undefined) throw usageError(`\`cluster ${name}\` takes no command`);
}

function usageError(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see `holdfast cluster --help`' });
}
