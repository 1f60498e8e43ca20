import { boxPolicies, decidesRequests, hasBoxPolicies, trustDirectory, wayDirectory } from './box-policy.ts';
import { commandUser } from './hold-in-cluster.ts';
import { retries } from '../plan/compile.ts';
import type { ClusterPolicy, ClusterRequest } from './types.ts';

const supervisorUser = 65_532;
export const proxyPort = 18_080;
const wayFile = `${wayDirectory}/proxy.env`;

/** Fields that all containers share. */
const confined = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
} as const;

/**
 * Closes the homes to other users, and gives `/tmp` its usual mode. A kubelet makes volumes writable for everyone, and
 * Holdfast trusts no policy file below such a directory. Root owns them, so this needs no capability.
 */
export function homesContainer({ image, plan }: ClusterRequest): object {
  const owners = ['', ...(plan.network.kind === 'names' ? ['supervisor-'] : [])];
  const [homes, places] = ['home', 'tmp'].map((place) => owners.map((owner) => `${owner}${place}`));
  const at = (names: readonly string[] = []): string => names.map((name) => `${homesDirectory}/${name}`).join(' ');
  return {
    name: 'homes',
    image,
    command: ['/bin/sh', '-c', `chmod 2770 ${at(homes)} && chmod 1777 ${at(places)}`],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsUser: 0,
      runAsNonRoot: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    resources: { limits: { memory: '64Mi', cpu: '500m' } },
    volumeMounts: [homes, places].flatMap((names = []) =>
      names.map((name) => ({ name, mountPath: `${homesDirectory}/${name}` })),
    ),
  };
}

const homesDirectory = '/run/holdfast-homes';

/**
 * Drops all packets in the pod's network namespace except those to loopback and those of the supervisor's user. It ends
 * before another container starts, and only this container has a capability.
 */
export function rulesContainer({ image }: ClusterRequest): object {
  const chain = [
    'type filter hook output priority 0; policy drop;',
    'oifname "lo" accept;',
    // For its neighbours under IPv6, the kernel sends packets that belong to no user.
    'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept;',
    `meta skuid ${supervisorUser} accept;`,
  ];
  return {
    name: 'packet-rules',
    image,
    command: ['nft', `add table inet holdfast; table inet holdfast { chain output { ${chain.join(' ')} }; }`],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsUser: 0,
      runAsNonRoot: false,
      capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    resources: { limits: { memory: '64Mi', cpu: '500m' } },
  };
}

/** A native sidecar: it starts before the command, and ends after it. */
export function supervisorContainer(request: ClusterRequest): object {
  const { image, options, workspace, home } = request;
  const trusting = decidesRequests(request);
  // A second start makes a new authority and new phantoms, which no earlier box trusts.
  const fresh = trusting ? `rm -rf ${trustDirectory}; ` : '';
  const trust = trusting ? `--trust ${trustDirectory} ` : '';
  const script = `umask 027; ${fresh}exec holdfast proxy --port ${proxyPort} ${trust}"$@" > ${wayFile}`;
  return {
    name: 'supervisor',
    image,
    restartPolicy: 'Always',
    command: words(['/bin/sh', '-c', script, 'holdfast', ...options, '--workspace', workspace]),
    workingDir: workspace,
    env: [{ name: 'HOME', value: literal(home) }, ...secretVariables(request)],
    securityContext: {
      ...confined,
      runAsUser: supervisorUser,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    startupProbe: { exec: { command: ['test', '-s', wayFile] }, periodSeconds: 1, failureThreshold: 60 },
    resources: { limits: { memory: '256Mi', cpu: '1', 'ephemeral-storage': '1Gi' } },
    volumeMounts: [
      { name: 'supervisor-home', mountPath: home },
      { name: 'supervisor-workspace', mountPath: workspace },
      { name: 'supervisor-tmp', mountPath: '/tmp' },
      { name: 'way', mountPath: wayDirectory },
      ...request.policies.map((policy) => policyMount(policy, keyOf(policy))),
    ],
  };
}

/** Starts Holdfast, which makes the box of the policy in the container's own namespaces. */
export function commandContainer(request: ClusterRequest): object {
  const { plan, image, workspace, home } = request;
  const open = plan.network.kind === 'names';
  return {
    name: 'command',
    image,
    command: words(commandWords(request)),
    workingDir: workspace,
    ...streams(request),
    env: environment(request),
    securityContext: {
      ...confined,
      runAsUser: commandUser,
      capabilities: { drop: ['ALL'] },
      procMount: 'Unmasked',
      seccompProfile: { type: 'Localhost', localhostProfile: 'holdfast/seccomp-container.json' },
      appArmorProfile: { type: 'Unconfined' },
    },
    resources: { limits: limits(request) },
    volumeMounts: [
      { name: 'home', mountPath: home },
      { name: 'workspace', mountPath: workspace },
      { name: 'tmp', mountPath: '/tmp' },
      ...(request.waits === undefined ? [] : [{ name: 'turn', mountPath: turnDirectory }]),
      ...(open ? [{ name: 'way', mountPath: wayDirectory, readOnly: true }] : []),
      ...boxPolicies(request).map((policy) => policyMount(policy, boxKeyOf(request, policy))),
    ],
  };
}

function commandWords(request: ClusterRequest): readonly string[] {
  if (request.waits !== undefined) return idle;
  const command = [...startWords(request), ...request.plan.command.argv];
  return request.run === undefined ? command : ['/bin/sh', '-c', waitForClient, 'sh', ...command];
}

/** The first process of a container with commands that come by `exec`. It ends with the pod, and not before. */
const idle = ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done'];

/** The turn in a pod of a pool: the first command takes it, and no second one can. */
const turnDirectory = '/run/holdfast-turn';
const turnFile = `${turnDirectory}/pid`;

/** Words of `exec` that start the command of a claim, when its client's first line says so. */
export function turnWords(request: ClusterRequest): readonly string[] {
  const { argv } = request.plan.command;
  const take = `mkdir ${turnDirectory}/taken || exit 125; echo $$ > ${turnFile}`;
  const script = `stty -echo 2> /dev/null; read -r start || exit 125; stty echo 2> /dev/null; ${take}; exec "$@"`;
  const variables = boxVariables(request).map(([name, value]) => `${name}=${value}`);
  return ['/bin/sh', '-c', script, 'sh', 'env', ...variables, ...startWords(request), ...argv];
}

/** Sends a signal to the command of a claim. Its launcher passes it on. */
export function turnSignal(name: string): readonly string[] {
  return ['/bin/sh', '-c', `kill -s ${name} "$(cat ${turnFile})"`];
}

/** Ends with 0 when the command of a claim has ended, or none came. */
export const turnEnd = ['/bin/sh', '-c', `while kill -0 "$(cat ${turnFile})" 2> /dev/null; do sleep 0.1; done`];

/** The words before the first command. Its box has the ports that the policy forwards. */
function startWords(request: ClusterRequest): readonly string[] {
  return entranceWords({ ...request, options: [...request.options, ...shownPorts(request).flatMap(forwardOption)] });
}

function forwardOption(shown: string): readonly string[] {
  return ['--forward', shown];
}

/** Ports of the box on the pod's loopback, as `9000:8080`. The same port of this machine leads there. */
export function shownPorts({ plan: { network } }: Pick<ClusterRequest, 'plan'>): readonly string[] {
  return network.kind === 'closed' ? [] : network.forward.map(({ host, box }) => `${host}:${box}`);
}

/**
 * The words before a further command, which make a box of the policy in the command's container. They forward no port:
 * the first command has it.
 */
export function entranceWords(request: ClusterRequest): readonly string[] {
  const { plan, options, workspace } = request;
  const run = [...options, ...trustOptions(request), '--workspace', workspace, '--'];
  return plan.network.kind === 'names'
    ? ['/bin/sh', '-c', `. ${wayFile} && exec holdfast run "$@"`, 'holdfast', ...run]
    : ['holdfast', 'run', ...run];
}

/** The supervisor's `--trust` writes it. */
const phantomsFile = `${trustDirectory}/phantoms.json`;

/** The box gets phantoms and the supervisor's authority from the way. */
function trustOptions(request: ClusterRequest): readonly string[] {
  if (!decidesRequests(request)) return [];
  const names = new Set(request.credentials.flatMap(({ phantoms }) => phantoms));
  const files = request.credentials.some((each) => each.files === 'some') ? ['--phantoms', phantomsFile] : [];
  return ['--read', trustDirectory, ...files, ...[...names].flatMap((name) => ['--env', name])];
}

/** A client's first line says that the workspace has arrived and that the streams are connected. */
const waitForClient = 'stty -echo 2> /dev/null; read -r start || exit 125; stty echo 2> /dev/null; exec "$@"';

function streams({ run }: ClusterRequest): object {
  if (run === undefined) return {};
  return { stdin: true, stdinOnce: run.input === 'once', tty: run.terminal === 'own' };
}

/**
 * Carries the workspace in and out, for a client that runs `tar` in it. It has no network rights, no policy and none of
 * the command's namespaces, and it outlives the command.
 */
export function courierContainer({ image, workspace }: ClusterRequest): object {
  return {
    name: 'courier',
    image,
    command: words(idle),
    workingDir: workspace,
    securityContext: {
      ...confined,
      runAsUser: commandUser,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    resources: { limits: { memory: '256Mi', cpu: '1', 'ephemeral-storage': '64Mi' } },
    volumeMounts: [{ name: 'workspace', mountPath: workspace }],
  };
}

function policyMount({ file }: ClusterPolicy, key: string): object {
  return { name: 'policy', mountPath: file, subPath: key, readOnly: true };
}

/** Keys of the `ConfigMap` and their texts. */
export function policyData(request: ClusterRequest): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...request.policies.map((policy) => [keyOf(policy), policy.text] as const),
    ...boxPolicies(request).map((policy) => [boxKeyOf(request, policy), policy.text] as const),
  ]);
}

function keyOf({ kind }: ClusterPolicy): string {
  return `${kind}.toml`;
}

function boxKeyOf(request: ClusterRequest, policy: ClusterPolicy): string {
  return hasBoxPolicies(request) ? `box-${keyOf(policy)}` : keyOf(policy);
}

/** The manifest names secrets, and the node reads them. No other container gets them. */
function secretVariables({ credentials, secrets }: ClusterRequest): readonly object[] {
  const found = credentials.flatMap(({ name, variable }) => {
    const reference = secrets.find(({ credential }) => credential === name);
    if (variable === undefined || reference === undefined) return [];
    return [{ name: variable, valueFrom: { secretKeyRef: { name: reference.secret, key: reference.key } } }];
  });
  return [...new Map(found.map((each) => [each.name, each])).values()];
}

/** The image sets these itself. The container gets the others, so that the policy passes them on. */
const ofImage = new Set(['PATH', 'HOME', 'SHELL', 'PWD', 'OLDPWD', 'TMPDIR', 'SHLVL', 'HOLDFAST', 'USER', 'LOGNAME']);

function environment(request: ClusterRequest): readonly object[] {
  return [
    { name: 'HOME', value: literal(request.home) },
    // No supervisor stays: the container ends with its command.
    { name: 'HOLDFAST_RESIDENT', value: 'never' },
    ...(request.waits === undefined ? boxVariables(request) : []).map(([name, is]) => ({ name, value: literal(is) })),
  ];
}

/** Variables of the box. In a pool each command brings its own. */
function boxVariables({ plan }: ClusterRequest): readonly (readonly [string, string])[] {
  return Object.entries(plan.command.environment)
    .filter(([name]) => !ofImage.has(name) && !Object.values(retries).some((each) => name in each))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function limits({ plan: { limits: planned } }: ClusterRequest): object {
  return {
    ...(planned.memory === undefined ? {} : { memory: String(Math.trunc(planned.memory)) }),
    ...(planned.cpus === undefined ? {} : { cpu: `${Math.max(1, Math.round(planned.cpus * 1000))}m` }),
    'ephemeral-storage': '10Gi',
  };
}

/** Kubernetes replaces `$(NAME)` in words and in values; `$$` is a dollar sign. */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$');
}

function words(argv: readonly string[]): readonly string[] {
  return argv.map(literal);
}
