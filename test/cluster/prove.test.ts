import { describe, expect, test } from 'vitest';
import type { ClusterFinding } from '../../src/cluster/session/findings.ts';
import { ClusterScene } from './cluster-scene.ts';

const open = { hosts: ['example.com'] };

async function prove(scene: ClusterScene, more: object = {}): Promise<readonly ClusterFinding[]> {
  const cluster = await scene.cluster();
  const session = { cwd: scene.project.workspace, environment: scene.project.libraryEnvironment, grants: open };
  const { findings } = await cluster.doctor({ session, kind: 'pod', proof: 'tried', ...more });
  return findings;
}

const about = (findings: readonly ClusterFinding[], subject: ClusterFinding['subject']) =>
  findings.filter((finding) => finding.subject === subject).map(({ state, told }) => `${state} ${told}`);

const problems = (findings: readonly ClusterFinding[]) =>
  findings.filter(({ state }) => state !== 'held').map(({ state, subject }) => `${state} ${subject}`);

describe('doctor --prove', () => {
  test.each(['pod', 'sandbox'])(
    'a sound cluster passes: each part was tried, and nothing is left (%s)',
    async (kind) => {
      using scene = await ClusterScene.open();
      const findings = await prove(scene, { kind });
      expect(problems(findings)).toEqual([]);
      expect(about(findings, 'network-policy')).toEqual([
        'held the way out of its pods is enforced (ETIMEDOUT); a control pod got through',
        'held the way into its pods is enforced (ETIMEDOUT); a control pod got through',
      ]);
      expect(about(findings, 'packets')).toEqual(['held none of the command’s container left its pod (ETIMEDOUT)']);
      expect(about(findings, 'container')).toHaveLength(4);
      expect(about(findings, 'box')).toEqual([
        "held Holdfast's box holds in the container: 1 attempts to escape were stopped",
      ]);
      expect(scene.api.store.names).toEqual([]);
    },
  );

  test('the probe pods are those of a run, without more rights than its command has', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.delay = 600_000;
    const proving = prove(scene, { wait: 1000 });
    await expect.poll(() => scene.api.store.list('pods', 'agents').length).toBe(4);
    const pods = scene.api.store.list('pods', 'agents');
    const [policy] = scene.api.store.list('networkpolicies', 'agents');
    const { matchLabels: selected } = (policy?.spec?.['podSelector'] ?? {}) as { readonly matchLabels?: object };
    const names = pods.filter(({ metadata }) => JSON.stringify(metadata.labels) === JSON.stringify(selected));
    expect(names.map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{6}/u, ''))).toEqual([
      'holdfast-doctor',
      'holdfast-doctor-behind',
    ]);
    const controls = pods.filter(({ metadata }) => /-(?:listener|control|behind)$/u.test(metadata.name));
    for (const { spec } of controls) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, hostUsers: false });
      expect(JSON.stringify(spec)).toContain('"drop":["ALL"]');
      expect(spec?.['activeDeadlineSeconds']).toBeLessThanOrEqual(900);
    }
    expect(problems(await proving)).toEqual(['missing proof']);
    expect(scene.api.store.names).toEqual([]);
  });

  test('a plug-in that ignores policies is named, with a remedy', { timeout: 60_000 }, async () => {
    using scene = await ClusterScene.open();
    scene.api.node.holdfast.network = 'ignored';
    const findings = await prove(scene);
    expect(problems(findings)).toEqual(['missing network-policy', 'missing network-policy']);
    expect(about(findings, 'network-policy')[0]).toMatch(/^missing the way out of its pods is not enforced/u);
    expect(findings.find(({ subject }) => subject === 'network-policy')?.remedy).toContain('Calico or Cilium');
    expect(scene.api.store.names).toEqual([]);
  });

  test('a failed control proves nothing: the result is never "enforced"', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.holdfast.network = 'broken';
    const findings = await prove(scene);
    expect(problems(findings)).toEqual(['unknown network-policy', 'unknown network-policy']);
    expect(about(findings, 'network-policy').join()).toContain('did not reach another one either (stopped ETIMEDOUT)');
  });

  test('packets that leave the command’s container around the supervisor', { timeout: 60_000 }, async () => {
    using scene = await ClusterScene.open();
    Object.assign(scene.api.node.holdfast, { network: 'ignored', packetRules: 'ignored' });
    expect(problems(await prove(scene))).toContain('missing packets');
  });

  test.each<[string, object, string]>([
    [
      'a container that becomes root',
      {
        attempts: ['raw-socket', 'token', 'root-file-system', 'root'].map((attempt) => ({
          attempt,
          result: attempt === 'root' ? 'escaped' : 'stopped',
          how: '',
        })),
      },
      'missing container',
    ],
    ['attempts that cannot be read', { attempts: [{ attempt: 'fly' }] }, 'unknown container'],
    ['too few attempts', { attempts: [] }, 'unknown container'],
    ['a box that does not hold', { proof: { verdict: 'fails', proofs: [] } }, 'missing box'],
    ['an untried box', { proof: { verdict: 'holds', proofs: [] } }, 'missing box'],
    [
      'an escape that its report calls held',
      {
        proof: {
          verdict: 'holds',
          proofs: [
            { title: 'a', guarantee: 'pid', backend: 'native', promised: 'kernel', result: 'held' },
            { title: 'b', guarantee: 'pid', backend: 'native', promised: 'kernel', result: 'escaped' },
          ],
        },
      },
      'missing box',
    ],
    ['an invalid report', { proof: 'hello' }, 'unknown box'],
    ['an endless report', { proof: 'x'.repeat(5 << 20) }, 'missing proof'],
  ])('%s', async (_, change, problem) => {
    using scene = await ClusterScene.open();
    Object.assign(scene.api.node.holdfast, change);
    expect(problems(await prove(scene))).toEqual([problem]);
    expect(scene.api.store.names).toEqual([]);
  });
});

describe('doctor --prove, in trouble', () => {
  test('a missing right: no pod is made', async () => {
    using scene = await ClusterScene.open();
    scene.api.denied.add('create pods');
    const findings = await prove(scene);
    expect(about(findings, 'network-policy')).toEqual(['unknown no pod was made: a run needs the missing parts first']);
    expect(scene.api.seen.filter((line) => /^POST .*networkpolicies$/u.test(line))).toHaveLength(1);
    expect(scene.api.store.names).toEqual([]);
  });

  test('a 403 for a pod that passed the dry run gives one line, and leaves nothing', async () => {
    using scene = await ClusterScene.open();
    let pods = 0;
    // The first is the dry run, the second that of the run.
    scene.api.chance = (line) => (/^POST .*\/pods$/u.test(line) && ++pods > 2 ? { status: 403 } : undefined);
    const findings = await prove(scene);
    expect(about(findings, 'proof')).toEqual([
      expect.stringMatching(/^missing the cluster did not create the Pod "holdfast-doctor-\S+-listener": busy$/u),
    ]);
    expect(scene.api.store.names).toEqual([]);
  });

  test('a pod that never starts is one line with the reason', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.trouble = {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
    };
    const findings = await prove(scene, { wait: 1000 });
    expect(about(findings, 'proof')).toEqual([
      expect.stringContaining('start of the pod (0/3 nodes are available) did not happen within'),
    ]);
    expect(scene.api.store.names).toEqual([]);
  });

  test('an image that cannot be pulled', async () => {
    using scene = await ClusterScene.open();
    const waiting = { reason: 'ImagePullBackOff', message: 'no such image' };
    scene.api.node.trouble = { containerStatuses: [{ name: 'command', state: { waiting } }] };
    expect(about(await prove(scene), 'proof')).toEqual([expect.stringContaining('ImagePullBackOff: no such image')]);
    expect(scene.api.store.names).toEqual([]);
  });

  test('lost streams are requested again', async () => {
    using scene = await ClusterScene.open();
    scene.api.faults.push({ on: /exec$/u, act: 'cut', times: 2 });
    scene.api.streams.cutAfter.push(Infinity, 3);
    expect(problems(await prove(scene))).toEqual([]);
    expect(scene.api.store.names).toEqual([]);
  });

  test('an interruption leaves nothing', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.delay = 600_000;
    const controller = new AbortController();
    const cluster = await scene.cluster({ signal: controller.signal });
    const session = { cwd: scene.project.workspace, environment: scene.project.libraryEnvironment, grants: open };
    const proving = cluster.doctor({ session, kind: 'pod', proof: 'tried' });
    await expect.poll(() => scene.api.store.list('pods', 'agents').length).toBe(4);
    controller.abort();
    await expect(proving).rejects.toThrow(/abort/u);
    expect(scene.api.store.names).toEqual([]);
  });

  test('a pod that cannot be removed is an error that names the way to remove it', async () => {
    using scene = await ClusterScene.open();
    scene.api.chance = (line) => (line.startsWith('DELETE ') ? { status: 403 } : undefined);
    await expect(prove(scene)).rejects.toThrow(/the proof is over; objects of "holdfast-doctor-\S+" may be left/u);
  });
});
