import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'smol-toml';
import { parseAllDocuments } from 'yaml';
import { fullPlan } from '../backends/testing/plan.ts';
import type { Mount } from '../plan/mount.ts';
import type { Plan } from '../plan/types.ts';
import { boxAsks, type ClusterRequest, manifestsYaml, renderCluster, supervisorAsks } from './index.ts';
import { holdersOf } from './refuse-parts.ts';
import { anthropicKey, clusterPlan, sandboxRequest as request } from './testing/request.ts';

const { workspace, plan: named } = request;
const closed = clusterPlan('');
const keyed = {
  plan: clusterPlan('[network]\nhosts = ["api.anthropic.com"]\n'),
  policies: [{ kind: 'user', file: '/home/me/.config/holdfast/policy.toml', text: keyedPolicy() }],
  credentials: [anthropicKey],
  secrets: [{ credential: 'anthropic', secret: 'agent-keys', key: 'anthropic' }],
} satisfies Partial<ClusterRequest>;

const run = { id: '0123456789abcdef', terminal: 'none', input: 'once', expires: 1_800_000_000_000 } as const;
const render = (change: Partial<ClusterRequest> = {}) => renderCluster({ ...request, ...change });
const podOf = (change: Partial<ClusterRequest>) =>
  (render({ ...change, kind: 'pod' }).at(-1) as unknown as { readonly spec: PodSpec }).spec;

interface PodSpec extends Readonly<Record<string, unknown>> {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}
interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly securityContext: {
    readonly runAsUser: number;
    readonly capabilities: { readonly drop: readonly string[]; readonly add?: readonly string[] };
  } & Readonly<Record<string, unknown>>;
}

describe('the rendered objects', () => {
  test.each<[string, Partial<ClusterRequest>, readonly string[]]>([
    ['a sandbox', {}, ['ConfigMap', 'NetworkPolicy', 'Sandbox']],
    ['a pod', { kind: 'pod' }, ['ConfigMap', 'NetworkPolicy', 'Pod']],
    ['a run', { run }, ['ConfigMap', 'NetworkPolicy', 'Sandbox']],
    ['a key', { ...keyed, kind: 'pod' }, ['ConfigMap', 'NetworkPolicy', 'Pod']],
    ['a run beta', { run, agentSandbox: 'v1beta1' }, ['ConfigMap', 'NetworkPolicy', 'Sandbox']],
  ])('%s', async (name, change, kinds) => {
    const manifests = render(change);
    expect(manifests.map(({ kind }) => kind)).toEqual(kinds);
    await expect(manifestsYaml(manifests)).toMatchFileSnapshot(`golden/${name.replaceAll(' ', '-')}.yaml`);
  });

  test('the command has no capability, no token, no writable root, and a different user from the supervisor', () => {
    const { initContainers = [], containers, ...spec } = podOf({});
    expect(spec).toMatchObject({ hostUsers: false, automountServiceAccountToken: false, restartPolicy: 'Never' });
    const [command] = containers;
    expect(command?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    });
    const users = [...initContainers, ...containers].map(({ securityContext }) => securityContext.runAsUser);
    expect(new Set(users).size).toBe(3);
    expect(
      [...initContainers, ...containers].flatMap(({ name, securityContext: { capabilities } }) =>
        capabilities.add === undefined ? [] : [[name, capabilities.add]],
      ),
    ).toEqual([['packet-rules', ['NET_ADMIN']]]);
    expect(initContainers.map(({ name }) => name)).toEqual(['homes', 'packet-rules', 'supervisor']);
    // nft ends a chain with a line end or a semicolon. Without it, no pod with an open network started.
    expect(initContainers[1]?.command.join(' ')).toContain(`meta skuid ${users[2]} accept; }; }`);
  });

  test('a live run has a courier without rights, and a deadline that leaves time to bring the changes back', () => {
    const { containers, ...spec } = podOf({ run, plan: clusterPlan('[limits]\nwall = "90s"\n') });
    expect(containers.map(({ name }) => name)).toEqual(['command', 'courier']);
    expect(containers[1]?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(containers[1]).toMatchObject({ volumeMounts: [{ name: 'workspace', mountPath: workspace }] });
    expect(spec).toMatchObject({ activeDeadlineSeconds: 90 + 3600 });
  });

  test('a closed network has no way out, and no supervisor', () => {
    const [, policy] = render({ plan: closed });
    expect(policy?.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] });
    expect(podOf({ plan: closed, policies: [] }).initContainers).toBeUndefined();
    expect(podOf({ plan: closed }).initContainers?.map(({ name }) => name)).toEqual(['homes']);
  });

  test('limits become fields of the pod', () => {
    const plan = clusterPlan('[limits]\nmemory = "1 GiB"\ncpus = 1.5\nwall = "90s"\n');
    expect(podOf({ plan })).toMatchObject({
      activeDeadlineSeconds: 90,
      containers: [{ resources: { limits: { memory: '1073741824', cpu: '1500m' } } }],
    });
  });

  test('rendering takes at most 20 ms', () => {
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now();
      manifestsYaml(render());
      return performance.now() - start;
    }).toSorted((a, b) => a - b);
    // Other work on the machine only makes a round slower.
    expect(times[0]).toBeLessThan(20);
  });
});

describe('guarantees', () => {
  test.each([
    ['kernel.separate', 'kata'],
    ['hardware.separate', 'kata'],
    ['fs.read', undefined],
  ] as const)('%s takes the runtime class %s', (guarantee, runtimeClass) => {
    const plan = { ...named, requires: [...named.requires, guarantee] };
    expect(podOf({ plan })['runtimeClassName']).toBe(runtimeClass);
  });

  test.each(['gvisor', 'runsc'])('%s is refused, because it cannot guard names', (runtimeClass) => {
    expect(() => render({ runtimeClass })).toThrow('cannot hold fs.deny-in-allow, syscalls');
  });

  test.each(['kata', 'kata-qemu'])('%s is a machine of its own', (runtimeClass) => {
    const plan: Plan = { ...named, requires: [...named.requires, 'hardware.separate'] };
    expect(podOf({ plan, runtimeClass })['runtimeClassName']).toBe(runtimeClass);
  });

  test('an unknown class adds no guarantee', () => {
    expect(podOf({ runtimeClass: 'quick' })['runtimeClassName']).toBe('quick');
    const plan: Plan = { ...named, requires: [...named.requires, 'kernel.separate'] };
    expect(() => render({ plan, runtimeClass: 'quick' })).toThrow('cannot hold kernel.separate');
  });
});

const bind = { kind: 'bind', access: 'read-only', ownership: 'as-is', presence: 'optional' } as const;
const identity = { device: '1', inode: '2', type: 'directory' } as const;
const with_ = (mount: Mount): Plan => ({ ...named, mounts: [...named.mounts, mount] });
const layer = { upper: { path: '/u', identity }, work: { path: '/w', identity } };

function open() {
  if (named.network.kind !== 'names') throw new Error('the network of the test is closed');
  return named.network;
}
const shows = (host: number, box: number): Partial<ClusterRequest> => ({
  plan: { ...named, network: { ...open(), forward: [{ host, box }] } },
});

test('a forwarded port is an option of the first command alone, and the pod declares it', () => {
  const [pod] = render({ ...shows(9000, 8080), run, kind: 'pod' }).slice(-1);
  const spec = pod?.spec as unknown as PodSpec;
  const words = (name: string): readonly string[] =>
    [...(spec.initContainers ?? []), ...spec.containers].find((each) => each.name === name)?.command ?? [];
  expect(words('command').join(' ')).toContain('--forward 9000:8080 --workspace');
  expect(words('supervisor')).not.toContain('--forward');
  expect(pod?.metadata.annotations?.['holdfast.dev/forward']).toBe('["9000:8080"]');
  expect(pod?.metadata.annotations?.['holdfast.dev/entrance']).not.toContain('--forward');
});

describe('refusals by name', () => {
  test.each<[string, Partial<ClusterRequest>, string]>([
    ['a path of the host', { plan: with_({ ...bind, source: '/srv', target: '/srv', identity }) }, '"/srv"'],
    [
      'a staged layer',
      { plan: with_({ kind: 'overlay', lower: workspace, target: workspace, identity, layer }) },
      'a staged layer',
    ],
    ['kvm', { plan: with_({ kind: 'devices', target: '/dev', shmSize: 1, kvm: 'shown' }) }, '/dev/kvm'],
    ['a source of this machine', { ...keyed, credentials: [{ ...anthropicKey, variable: undefined }] }, 'source of'],
    [
      'a file of a key',
      { ...keyed, credentials: [{ ...anthropicKey, unheld: ['the file "~/k.json" in the format json'] }] },
      'the file "~/k.json"',
    ],
    ['a secret variable', { secretVariables: ['TOKEN'] }, 'TOKEN'],
    ['another start', { plan: { ...named, command: { ...named.command, cwd: '/x' } } }, 'a start in "/x"'],
    ["the supervisor's port", shows(18_080, 80), 'port 18080 of a box as the same port'],
    ['loopback', { plan: { ...named, network: { ...open(), loopbackPorts: [1] } } }, 'loopback'],
    ['Landlock alone', { plan: { ...named, confinement: 'landlock' } }, 'Landlock alone'],
    [
      'a runtime in a box',
      { plan: { ...named, seccomp: { ptrace: 'deny', nesting: 'runtime' } } },
      'container runtime',
    ],
  ])('%s', (...[, change, text]) => {
    expect(() => render(change)).toThrow(text);
    expect(() => render(change)).toThrow(expect.objectContaining({ code: 'HF_GUARANTEE_MISSING' }));
  });

  test('every part of a plan has a holder', () => {
    const mounts = [...fullPlan.mounts, ...named.mounts];
    fc.assert(
      fc.property(fc.subarray(mounts), fc.constantFrom(fullPlan, named, closed), (some, base) => {
        const plan = { ...base, mounts: some };
        const holders = holdersOf(plan, request);
        expect(holders.length).toBeGreaterThanOrEqual(some.length);
        for (const holder of holders) expect(['manifest', 'launcher', 'refused']).toContain(holder?.kind);
        const refused = holders.some(({ kind }) => kind === 'refused');
        if (refused) expect(() => render({ plan })).toThrow('a cluster cannot hold');
        else expect(render({ plan }).length).toBeGreaterThan(1);
      }),
    );
  });
});

describe('bad words', () => {
  test.each<[string, Partial<ClusterRequest>]>([
    ['an upper-case name', { name: 'Agent' }],
    ['a long name', { name: 'a'.repeat(51) }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name that is no label', { name: '-a' }],
    ['an invisible name', { namespace: 'a\u200bb' }],
    ['an image of two words', { image: 'a b' }],
    ['a runtime class', { runtimeClass: 'Kata!' }],
    ['a pool of two words', { pool: 'a b' }],
    ['a pool with a reserved name', { pool: 'none' }],
    ['a pod of a pool', { kind: 'pod', pool: 'fast' }],
    ['1 MB of arguments', { plan: { ...named, command: { ...named.command, argv: ['x'.repeat(1 << 20)] } } }],
    ['hidden letters', { plan: { ...named, command: { ...named.command, argv: ['a\u202eb'] } } }],
    ['half a letter', { plan: { ...named, command: { ...named.command, argv: ['a\ud800b'] } } }],
    [
      'a token',
      { plan: { ...named, command: { ...named.command, argv: ['curl', `--token=ghp_${'a1B2'.repeat(10)}`] } } },
    ],
  ])('%s', (...[, change]) => {
    const thrown = (() => {
      try {
        return render(change);
      } catch (error) {
        return error as { readonly code: string; readonly message: string };
      }
    })();
    expect(thrown).toMatchObject({ code: 'HF_USAGE' });
    expect((thrown as { readonly message: string }).message).toMatch(/^[\x20-\x7e]{1,200}$/u);
  });

  const word = fc.oneof(
    fc.constantFrom('no', 'y', 'On', '1:20', '0o7', '007', '1e3', '~', 'null', '<<', '=', '- a', '# x', '2001-01-01'),
    fc.constantFrom(
      '$(HOME)',
      '$$',
      '"',
      "'",
      'a: b',
      '|',
      '> x',
      ' a ',
      'a\n\n b\n',
      '\t',
      '!!int 1',
      '&a',
      '*a',
      '%',
    ),
    fc.string({ maxLength: 20 }),
  );

  test.each(['1.1', '1.2'] as const)('YAML %s reads the same objects back', (version) => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), word, (argv, value) => {
        const command = { ...named.command, argv, environment: { VALUE: value } };
        const manifests = render({ plan: { ...named, command } });
        const read = parseAllDocuments(manifestsYaml(manifests), { version });
        if (!Array.isArray(read)) throw new Error('there is no document');
        expect(read.map((document) => document.toJS() as unknown)).toEqual(manifests);
      }),
    );
  });

  test('Kubernetes gives the command its exact words', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (argv) => {
        const { containers } = podOf({ plan: { ...closed, command: { ...closed.command, argv } } });
        const given = containers[0]?.command.map(expanded) ?? [];
        expect(given.slice(given.indexOf('--') + 1)).toEqual(argv);
      }),
    );
  });

  /** As the API describes it: `$$` is a dollar sign, and `$(NAME)` a variable. */
  function expanded(text: string): string {
    return text.replaceAll(/\$\$|\$\((\w+)\)/gu, (found) => (found === '$$' ? '$' : 'REPLACED'));
  }
});

function keyedPolicy(): string {
  return `version = 1
[network]
hosts = ["api.anthropic.com"]
inspect = "every-host"
[[http]]
name = "issues"
hosts = ["api.example.com"]
methods = ["GET"]
decision = "allow"
[[http]]
name = "never"
hosts = ["api.anthropic.com"]
paths = ["/v1/files/**"]
decision = "deny"
[[credentials]]
name = "anthropic"
provider = "anthropic"
source = { env = "REAL_KEY" }
`;
}

describe('a key', () => {
  const [configMap, , pod] = render({ ...keyed, kind: 'pod' });
  const { initContainers = [], containers } = (pod as unknown as { readonly spec: PodSpec }).spec;
  const environmentOf = (container: Container | undefined) => JSON.stringify(container);

  test('belongs to the supervisor alone, which takes it from its Secret', () => {
    const supervisor = initContainers.find(({ name }) => name === 'supervisor');
    expect(environmentOf(supervisor)).toContain(
      '{"name":"REAL_KEY","valueFrom":{"secretKeyRef":{"name":"agent-keys","key":"anthropic"}}}',
    );
    for (const other of [...initContainers.filter((each) => each !== supervisor), ...containers])
      expect(environmentOf(other)).not.toContain('secretKeyRef');
  });

  test('is a phantom for the box, and absent from the box’s policy', () => {
    const [command] = containers;
    expect(command?.command.join(' ')).toContain('--env ANTHROPIC_API_KEY');
    expect(configMap?.data?.['user.toml']).toBe(keyedPolicy());
    const text = configMap?.data?.['box-user.toml'] ?? '';
    expect(parse(text)).toEqual({
      version: 1,
      network: { hosts: ['api.anthropic.com'] },
      connect: [{ name: 'issues', hosts: ['api.example.com'], decision: 'allow' }],
      environment: { set: expect.objectContaining({ CURL_CA_BUNDLE: '/run/holdfast-way/trust/bundle.pem' }) as object },
      llm: { gateway: 'off' },
    });
    // Its plan needs no authority of its own, which would replace the supervisor's.
    expect(clusterPlan(text.replace('version = 1\n', '')).network).toMatchObject({ kind: 'names', authority: 'none' });
  });

  test('gives its box files of phantoms and base URLs, which lead through the supervisor', () => {
    const credentials = [{ ...anthropicKey, files: 'some', routes: ['anthropic.credentials.holdfast'] }] as const;
    const [data, , withFiles] = render({ ...keyed, credentials, kind: 'pod' });
    expect(JSON.stringify(withFiles)).toContain('"--phantoms","/run/holdfast-way/trust/phantoms.json"');
    expect(JSON.stringify(pod)).not.toContain('--phantoms');
    const text = data?.data?.['box-user.toml'] ?? '';
    expect(clusterPlan(text.replace('version = 1\n', '')).network).toMatchObject({ kind: 'names', authority: 'none' });
    expect(parse(text)['connect']).toContainEqual({
      name: 'holdfast-base-url-0',
      hosts: ['anthropic.credentials.holdfast:80'],
      decision: 'allow',
    });
    expect(data?.data?.['user.toml']).toBe(keyedPolicy());
  });

  test('needs the name of its Secret', () => {
    const without = () => render({ ...keyed, secrets: [] });
    expect(without).toThrow('nothing names the Secret of the credential "anthropic"');
    expect(without).toThrow(expect.objectContaining({ remedy: 'add --secret anthropic=SECRET/KEY' }));
    const references = [
      { credential: 'other', secret: 'a', key: 'b' },
      { credential: 'anthropic', secret: 'A_b', key: 'b' },
      { credential: 'anthropic', secret: 'a', key: 'b/c' },
    ];
    for (const reference of references)
      expect(() => render({ ...keyed, secrets: [reference] })).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });
});

test.each([
  ['redis://default:{phantom}@cache.example:6379', 'rendered'],
  ['postgres://app:{phantom:secret}@db.example/app', 'rendered'],
  ['redis://default:{phantom}x@cache.example:6379', 'refused'],
  ['redis://default:hunter2-EXAMPLE-pass@cache.example:6379', 'refused'],
])('a policy with the URL %s is %s', (url, outcome) => {
  const text = `version = 1\n# ${url}\n`;
  const rendering = () => render({ policies: [{ kind: 'user', file: '/home/me/p.toml', text }] });
  if (outcome === 'rendered') expect(rendering).not.toThrow();
  else expect(rendering).toThrow('looks like a secret');
});

describe('a rule that asks', () => {
  const text = '[[connect]]\nname = "first"\nhosts = ["example.com"]\ndecision = "ask"\n';
  const policies = [
    { kind: 'user', file: '/home/me/.config/holdfast/policy.toml', text: `version = 1\n${text}` },
  ] as const;
  const [configMap, , pod] = render({ plan: clusterPlan(text), policies, kind: 'pod' });

  test('is decided by the supervisor and a person, and not in the command’s container', () => {
    expect(configMap?.data?.['user.toml']).toBe(policies[0].text);
    expect(parse(configMap?.data?.['box-user.toml'] ?? '')).toEqual({
      version: 1,
      connect: [{ name: 'first', hosts: ['example.com'], decision: 'allow' }],
    });
    expect(JSON.stringify(pod)).not.toContain('--trust');
  });

  test('asks only with a network', () => {
    expect(supervisorAsks({ plan: clusterPlan(text), policies })).toBe(true);
    expect(supervisorAsks({ plan: closed, policies })).toBe(false);
    expect(supervisorAsks({ plan: named, policies: request.policies })).toBe(false);
  });
});

test.each([
  ['[[file]]\nname = "a"\npaths = ["a"]\ndecision = "ask"', true],
  ['[[exec]]\nname = "a"\ncommands = ["a"]\ndecision = "deny"', true],
  ['[commands]\nallow = ["npm"]', true],
  ['[[file]]\nname = "a"\npaths = ["a"]\ndecision = "deny"', false],
  ['[[connect]]\nname = "a"\nhosts = ["a.example"]\ndecision = "ask"', false],
  ['[[socket]]\nname = "a"\npaths = ["a"]\ndecision = "ask"', true],
])('for the policy %j the box asks: %s', (text, asks) => {
  expect(boxAsks({ policies: [{ kind: 'user', file: '/p.toml', text }] })).toBe(asks);
});

test('a server of models needs no policy file: the supervisor inspects its requests', () => {
  const [configMap, , pod] = render({
    plan: keyed.plan,
    policies: [],
    options: ['--host', 'api.anthropic.com'],
    kind: 'pod',
  });
  expect(Object.keys(configMap?.data ?? {})).toEqual(['box-user.toml']);
  expect(JSON.stringify(pod)).toContain('--trust /run/holdfast-way/trust');
});
