/**
 * Programs that run containers, clusters and clouds. Specifications and their refinements only: nothing is looked up on
 * the machine.
 */
import {
  each,
  flags,
  inOrder,
  noSpan,
  opaqueEffect,
  reachesUnknown,
  reads,
  takes,
  tool,
  toolFamily,
  warnsTaking,
} from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { clouds } from './cloud-questions.ts';
import { copying, dockerTools } from './docker.ts';
import { hasOption } from '../parsed-options.ts';
import { wordAsTyped } from '../words.ts';

const cluster = reachesUnknown('the cluster that the configuration names');

const changes = opaqueEffect('unknown-option', 'changes something in the cluster');

const global: readonly OptionSpec[] = [
  ...takes(
    'text',
    '-n --namespace',
    '-l --selector',
    '-o --output',
    '--context',
    '--cluster',
    '--request-timeout',
    '--field-selector',
    '--sort-by',
    '-v --v',
    '--user',
    '--timeout',
    '-c --container',
    '--tail',
    '--since',
    '--type',
    '-L --label-columns',
    '--limit',
    '--kube-context',
    '--api-version',
  ),
  ...flags(
    '-A --all-namespaces',
    '-w --watch',
    '--watch-only',
    '--show-labels',
    '--no-headers',
    '-R --recursive',
    '--ignore-not-found',
    '--previous',
    '--all-containers',
    '--timestamps',
    '--all',
    '--dry-run',
    '--force',
    '--now',
    '--wait',
    '--client',
    '--short',
    '--minify',
    '--raw',
    '--insecure-skip-tls-verify',
    '--containers',
    '--server-side',
    '-h --help',
    '-q --quiet',
    '--flatten',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--kubeconfig` names programs that get credentials'), '--kubeconfig'),
  ...takes('url', '-s --server'),
  ...warnsTaking(
    opaqueEffect('unknown-option', '`--token` and `--as` act as someone else'),
    '--token',
    '--as',
    '--as-group',
    '--certificate-authority',
    '--client-key',
  ),
];

/** A manifest is a file, a directory or a URL. */
const manifests = [
  ...takes('url', '-f --filename').map((option) => ({ ...option, role: 'remote' as const })),
  ...takes('read-tree', '-k --kustomize'),
];

const inCluster = { operands: each('text'), refine: cluster } as const;

const questionsOfSettings = ['view', 'current-context', 'get-contexts', 'get-clusters', 'get-users'];

const kubectl = toolFamily(
  'kubectl oc k3s microk8s',
  [
    tool('version', {
      options: global,
      operands: each('text'),
      refine: (parsed, context) => (hasOption(parsed, '--client') ? {} : cluster(parsed, context)),
    }),
    tool('get describe top explain api-resources api-versions cluster-info events auth diff', {
      options: [...global, ...manifests],
      ...inCluster,
    }),
    tool('logs', { options: [...global, ...flags('-f --follow', '-p', '--prefix')], ...inCluster }),
    tool('completion options help', { options: global, operands: each('text') }),
    toolFamily('plugin', [tool('list', { options: flags('--name-only') })]),
    // Bases may be those of another host.
    tool('kustomize', { operands: each('read-tree'), refine: cluster }),
    toolFamily('rollout', [
      tool('status history', { options: [...global, ...manifests, ...takes('text', '--revision')], ...inCluster }),
      tool('restart undo pause resume', { options: [...global, ...manifests], ...inCluster, always: [changes] }),
    ]),
    tool('config', {
      options: global,
      operands: each('text'),
      always: [reads('~/.kube')],
      refine: ({ operands: [verb] }) =>
        verb !== undefined && questionsOfSettings.includes(wordAsTyped(verb))
          ? {}
          : {
              opaque: [
                {
                  kind: 'inline-code',
                  message: 'settings of the cluster name programs that get credentials',
                  span: verb?.span ?? noSpan,
                },
              ],
            },
    }),
    tool('apply create replace patch scale label annotate set expose autoscale cordon uncordon taint edit wait', {
      options: [
        ...global,
        ...manifests,
        ...takes(
          'text',
          '-p --patch',
          '--replicas',
          '--image',
          '--from-literal',
          '--grace-period',
          '--for',
          '--cascade',
        ),
        ...takes('read', '--from-file', '--from-env-file'),
      ],
      ...inCluster,
      always: [changes],
    }),
    tool('delete drain', {
      options: [
        ...global,
        ...manifests,
        ...flags('--ignore-daemonsets', '--delete-emptydir-data', '--disable-eviction'),
        ...takes('text', '--grace-period', '--cascade', '--pod-selector'),
      ],
      ...inCluster,
      always: [changes],
    }),
    tool('exec run debug attach port-forward proxy', {
      options: [
        ...global,
        ...flags('-i --stdin', '-t --tty', '--rm'),
        ...takes('text', '--image', '--restart', '--address', '--port'),
      ],
      ...inCluster,
      always: [opaqueEffect('inline-code', 'runs a command, or opens a way into the cluster'), changes],
    }),
    tool('cp', {
      options: [...global, ...flags('--no-preserve')],
      operands: inOrder(['text', 'text']),
      always: [changes],
      refine: (parsed, context) => ({ ...copying(parsed, context), hosts: cluster(parsed, context).hosts ?? [] }),
    }),
  ],
  { options: global },
);

/** `-h` and the like: they ask no cluster. */
const asksNobody = { options: global, operands: each('text') } as const;

/** A chart of this directory begins with `.` or `/`. Any other one comes from a server. */
const chart: Refine = (parsed, context) =>
  parsed.operands.length > 1 && parsed.operands.slice(1).every((word) => /^\.{0,2}\//u.test(wordAsTyped(word)))
    ? {}
    : cluster(parsed, context);

const helm = toolFamily(
  'helm',
  [
    toolFamily('repo', [
      tool('list ls', asksNobody),
      tool('add remove rm update up index', { ...inCluster, options: global, always: [changes] }),
    ]),
    toolFamily('plugin', [tool('list ls', asksNobody)]),
    tool('completion help', asksNobody),
    tool('create', { options: takes('text', '-p --starter'), operands: each('write-tree') }),
    tool('show', { ...asksNobody, options: [...global, ...takes('text', '--version')], refine: chart }),
    tool('version env', { options: [...global, ...takes('text', '--template')], operands: each('text') }),
    tool('list ls get status history search', {
      options: [...global, ...flags('--versions')],
      ...inCluster,
    }),
    tool('template lint', {
      options: [
        ...global,
        ...takes('read', '-f --values'),
        ...takes('text', '--set', '--set-string', '--version'),
        ...takes('write-tree', '--output-dir'),
      ],
      operands: inOrder([], 'text', 'read-tree'),
    }),
    tool('uninstall delete', {
      options: [...global, ...flags('--keep-history', '--no-hooks'), ...takes('text', '--description')],
      ...inCluster,
      always: [changes],
    }),
    tool('install upgrade rollback pull push dependency dep test', {
      options: [
        ...global,
        ...flags('-i --install', '--create-namespace', '--atomic', '--reuse-values', '--reset-values'),
        ...takes('read', '-f --values'),
        ...takes('text', '--set', '--set-string', '--version', '--set-file'),
        ...takes('program', '--post-renderer'),
      ],
      ...inCluster,
      always: [changes],
    }),
  ],
  { options: global },
);

const clusterTools: readonly ToolSpec[] = [kubectl, helm, ...clouds];

export const containersTools: readonly ToolSpec[] = [...dockerTools, ...clusterTools];
