import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../src/audit/index.ts';
import { acceptLayer, reviewLayer, undoAccept } from '../../src/staged/session/layers.ts';
import { binary } from '../lib/holdfast.ts';
import { ClusterScene } from './cluster-scene.ts';

describe('a run in a cluster', () => {
  test('passes on the command’s streams and exit status, and leaves nothing', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['sh', '-c', 'cat; echo oops >&2; exit 7']);
    await command.write(Buffer.from('from here\n'));
    await command.endInput();
    expect(await command.ended).toMatchObject({ kind: 'ended', exitCode: 7, changes: { changed: 0 } });
    expect(scene.output).toEqual({ stdout: 'from here\n', stderr: 'oops\n' });
    expect(scene.api.store.names).toEqual([]);
    const journal = readEvents(join(scene.project.state, 'journal.jsonl')).filter(({ type }) =>
      type.startsWith('cluster.'),
    );
    expect(journal).toMatchObject([
      { type: 'cluster.run', namespace: 'agents', name: 'agent', workspace: scene.project.workspace },
      { type: 'cluster.collect', changes: 0 },
    ]);
  });

  test('delivers even the first byte of very early output', async () => {
    using scene = await ClusterScene.open();
    await scene.run('printf first');
    expect(scene.output.stdout).toBe('first');
  });

  test('a sandbox of agent-sandbox is removed with all its objects', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['cat'], { kind: 'sandbox' });
    const sandbox = scene.api.store.get('sandboxes', 'agents', 'agent');
    expect(sandbox?.spec).toMatchObject({ shutdownPolicy: 'Delete' });
    expect(Date.parse(String(sandbox?.spec?.['shutdownTime']))).toBeGreaterThan(Date.now());
    await command.endInput();
    await command.ended;
    expect(scene.api.store.names).toEqual([]);
  });

  test.each([
    [['v1alpha1'], 'v1alpha1'],
    [['v1beta1'], 'v1beta1'],
    [['v1alpha1', 'v1beta1'], 'v1beta1'],
    [['v1beta1', 'v9'], 'v1beta1'],
  ] as const)('of the versions %j it takes %s', async (offered, version) => {
    using scene = await ClusterScene.open();
    scene.api.agentSandbox = offered;
    const command = await scene.start(['cat'], { kind: 'sandbox' });
    const sandbox = scene.api.store.get('sandboxes', 'agents', 'agent');
    expect(sandbox?.apiVersion).toBe(`agents.x-k8s.io/${version}`);
    const [policy] = scene.api.store.list('networkpolicies', 'agents');
    expect(policy?.metadata.ownerReferences).toMatchObject([{ apiVersion: `agents.x-k8s.io/${version}` }]);
    await command.endInput();
    await command.ended;
    expect(scene.api.store.names).toEqual([]);
    const paths = scene.api.seen.filter((line) => line.includes('/sandboxes'));
    expect(paths.filter((line) => !line.includes(`/agents.x-k8s.io/${version}/`))).toEqual([]);
  });

  test('a user who may not ask for the versions gets the oldest', async () => {
    using scene = await ClusterScene.open();
    scene.api.faults.push({ on: /^GET \/apis\/agents\.x-k8s\.io$/u, act: { status: 403 } });
    const command = await scene.start(['cat'], { kind: 'sandbox' });
    expect(scene.api.store.get('sandboxes', 'agents', 'agent')?.apiVersion).toBe('agents.x-k8s.io/v1alpha1');
    await command.endInput();
    await command.ended;
  });

  test('the network policy exists before the pod and after it', async () => {
    using scene = await ClusterScene.open();
    await scene.run('true');
    const changes = scene.api.seen
      .filter((line) => /^(?:POST|DELETE)/u.test(line))
      .map((line) => line.replace(/^(\w+).*agents\//u, '$1 '));
    expect(changes).toEqual(['POST networkpolicies', 'POST pods', 'DELETE pods/agent', 'DELETE networkpolicies/agent']);
  });

  test('a signal goes to the command', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['sh', '-c', 'trap "exit 42" INT; echo ready; while :; do sleep 0.05; done']);
    await expect.poll(() => scene.output.stdout).toBe('ready\n');
    command.signal('SIGINT');
    expect(await command.ended).toMatchObject({ exitCode: 42 });
  });

  test('the size of a terminal goes to the command', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['cat'], { terminal: 'own' });
    command.resize({ columns: 101, rows: 33 });
    await expect.poll(() => scene.api.streams.sizes).toEqual([{ Width: 101, Height: 33 }]);
    await command.endInput();
    await command.ended;
  });
});

test('Holdfast itself understands the container’s words, and the box is that of the policy', async () => {
  using scene = await ClusterScene.open();
  const { project, api } = scene;
  api.node.install(binary);
  api.node.environment = { ...project.environment, XDG_STATE_HOME: join(project.root, 'state-of-the-pod') };
  // Without a box, these would be in the home of the test.
  const script = 'echo in > in.txt; echo out > "$HOME/first.txt"; exit 8';
  const { exitCode, changes } = await scene.run(script);
  expect({ exitCode, changed: changes?.changed }).toEqual({ exitCode: 8, changed: 1 });
  const command = await scene.start(['sh', '-c', 'echo up; read -r line; echo "$line"'], { name: 'other' });
  await expect.poll(() => scene.output.stdout).toContain('up');
  const cluster = await scene.cluster();
  const second = await cluster.exec('other', ['sh', '-c', 'echo out > "$HOME/second.txt"; exit 33'], {
    onOutput: () => undefined,
    onNotice: () => undefined,
  });
  expect(await second.ended).toMatchObject({ exitCode: 33 });
  expect(['first.txt', 'second.txt'].filter((name) => existsSync(join(project.home, name)))).toEqual([]);
  await command.write(Buffer.from('bye\n'));
  expect(await command.ended).toMatchObject({ exitCode: 0 });
});

describe('the transfer of the workspace', () => {
  test('brings changes back as a layer for review, accept and undo', async () => {
    using scene = await ClusterScene.open();
    const { project } = scene;
    project.write('kept.txt', 'kept\n');
    project.write('edited.txt', 'old\n');
    project.write('gone/deep/a.txt', 'a\n');
    project.write(`${'d'.repeat(60)}/${'n'.repeat(120)}.txt`, 'long\n');
    symlinkSync('kept.txt', join(project.workspace, 'link'));
    const script = `set -e
      test "$(cat kept.txt)" = kept; test "$(readlink link)" = kept.txt; test -e ${'d'.repeat(60)}/*.txt
      echo new > edited.txt; mkdir made; echo x > "made/a b.sh"; chmod 755 "made/a b.sh"; rm -r gone; ln -sfn edited.txt link`;
    const { changes, exitCode } = await scene.run(script);
    expect({ exitCode, stderr: scene.output.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { environment, libraryEnvironment } = project;
    const review = await reviewLayer(changes?.layer ?? '', { environment: libraryEnvironment });
    expect(review.changes.map(({ kind, path }) => `${kind} ${path.toString()}`).toSorted()).toEqual([
      'added made',
      'added made/a b.sh',
      'deleted gone',
      'deleted gone/deep',
      'deleted gone/deep/a.txt',
      'modified edited.txt',
      'modified link',
    ]);
    expect(review.changes.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
    expect(readFileSync(join(project.workspace, 'edited.txt'), 'utf8')).toBe('old\n');
    await acceptLayer(changes?.layer ?? '', { environment: libraryEnvironment });
    expect(readFileSync(join(project.workspace, 'edited.txt'), 'utf8')).toBe('new\n');
    expect(existsSync(join(project.workspace, 'gone'))).toBe(false);
    expect(project.outside('./made/a b.sh', []).status).toBe(127);
    await undoAccept({ workspace: project.workspace, environment: libraryEnvironment });
    expect(readFileSync(join(project.workspace, 'gone/deep/a.txt'), 'utf8')).toBe('a\n');
    expect(environment['HOME']).toBe(project.home);
  });

  test('a file that changed here in the meantime is a conflict', async () => {
    using scene = await ClusterScene.open();
    const file = scene.project.write('both.txt', 'before\n');
    scene.project.write('theirs.txt', 'before\n');
    const command = await scene.start(['sh', '-c', 'echo there > both.txt; echo there > theirs.txt; cat']);
    writeFileSync(file, 'here\n');
    await command.endInput();
    const end = await command.ended;
    const layer = end.kind === 'ended' ? (end.changes?.layer ?? '') : '';
    const { changes } = await reviewLayer(layer, { environment: scene.project.libraryEnvironment });
    expect(Object.fromEntries(changes.map(({ path, conflict }) => [path.toString(), conflict?.reason]))).toEqual({
      'both.txt': 'changed-on-host',
      'theirs.txt': undefined,
    });
  });

  test('hidden files stay here', async () => {
    using scene = await ClusterScene.open();
    scene.project.write('.env', 'TOKEN=secret\n');
    scene.project.write('private/key', 'secret\n');
    scene.project.write('holdfast.toml', 'version = 1\n[files]\ndeny = ["private", ".env"]\n');
    const { changes } = await scene.run('ls -A; echo stolen > .env; mkdir -p private; echo x > private/key');
    expect(scene.output.stdout).not.toMatch(/\.env|private/u);
    expect(changes).toMatchObject({ changed: 0 });
    expect(changes?.leftOut).toContain('.env');
  });

  test('a FIFO and a socket are left out, in both directions', async () => {
    using scene = await ClusterScene.open();
    scene.project.outside('mkfifo', ['pipe']);
    const { changes } = await scene.run('ls; mkfifo other');
    expect(scene.output.stdout).toBe('');
    expect(changes?.leftOut).toEqual(['other']);
    expect(scene.notices.join()).toContain('1 entries of the workspace stayed here');
  });

  test('many files and large ones arrive unchanged', async () => {
    using scene = await ClusterScene.open();
    mkdirSync(join(scene.project.workspace, 'many'));
    for (let each = 0; each < 300; each += 1) scene.project.write(`many/${each}`, String(each));
    writeFileSync(join(scene.project.workspace, 'large'), Buffer.alloc(9 << 20, 'large'));
    const { changes } = await scene.run('ls many | wc -l; cksum < large; cp large copy; printf x >> large');
    const [count, sum] = scene.output.stdout.trim().split('\n');
    expect(count?.trim()).toBe('300');
    expect(sum).toBe(scene.project.outside('sh', ['-c', 'cksum < large']).stdout.trim());
    expect(changes).toMatchObject({ changed: 2, leftOut: [] });
  });
});
