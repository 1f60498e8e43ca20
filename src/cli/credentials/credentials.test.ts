import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scene, type Scene } from '../testing/run.ts';
import { credentialsCommand } from './index.ts';

const policy =
  'version = 1\n[network]\nhosts = ["api.example.com"]\n[[credentials]]\nname = "example"\nsource = { env = "EXAMPLE_TOKEN" }\nhosts = ["api.example.com"]\ninject = { kind = "bearer" }\nenvironment = ["TOKEN"]\n';
const canary = 'example_live_EXAMPLEcanary0123456789';

function withPolicy(text: string, environment: Readonly<Record<string, string>> = { EXAMPLE_TOKEN: canary }): Scene {
  const at = scene(environment);
  mkdirSync(dirname(at.policy), { recursive: true });
  writeFileSync(at.policy, text);
  return at;
}

function revoked({ journal }: Scene): readonly unknown[] {
  return readFileSync(join(dirname(journal), 'revocations.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('holdfast credentials show', () => {
  test('names the hosts and the phantom of each, and never the secret', async () => {
    const { run } = withPolicy(policy);
    const { status, stdout, stderr } = await run(credentialsCommand, 'show');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^example\n {2}secret {3}the environment variable EXAMPLE_TOKEN\n {2}put in {3}bearer, for its phantom\n {2}good at {2}api\.example\.com\n/u,
    );
    expect(stdout).toMatch(/TOKEN=\S{20,}/u);
    expect(stdout).not.toContain('EXAMPLEcanary');
  });

  test('as data as well', async () => {
    const { run } = withPolicy(policy);
    const { stdout } = await run(credentialsCommand, 'show', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      credentials: [{ name: 'example', inject: 'bearer', use: 'phantom' }],
      notices: [],
      files: [],
    });
    expect(stdout).not.toContain('EXAMPLEcanary');
  });

  test('names missing parts', async () => {
    const { run } = withPolicy(policy, {});
    expect((await run(credentialsCommand, 'show')).stdout).toMatch(
      /^missing: there is no credential example in the box: .*EXAMPLE_TOKEN/u,
    );
  });

  test('explains how to add the first one', async () => {
    const { run } = withPolicy('version = 1\n');
    expect((await run(credentialsCommand, 'show')).stdout).toContain('holdfast secrets add');
  });
});

describe('holdfast credentials revoke', () => {
  test('revokes by name', async () => {
    const at = withPolicy(policy);
    expect(await at.run(credentialsCommand, 'revoke', 'example', '--session', 's1')).toEqual({
      status: 0,
      stdout: 'revoked example in session s1\n',
      stderr: '',
    });
    expect(revoked(at)).toEqual([{ session: 's1', at: expect.any(Number), credential: 'example' }]);
  });

  test('revokes everything', async () => {
    const at = withPolicy(policy);
    expect((await at.run(credentialsCommand, 'revoke', '--all')).stdout).toBe('revoked every credential\n');
    expect(revoked(at)).toEqual([{ at: expect.any(Number) }]);
  });

  test('a name that the policy does not know is revoked, and said not to be known', async () => {
    const at = withPolicy(policy);
    const { status, stderr } = await at.run(credentialsCommand, 'revoke', 'exmaple');
    expect([status, stderr]).toEqual([
      1,
      'holdfast: the policy that holds here has no credential "exmaple": see `holdfast secrets list` for how it is written\n',
    ]);
    expect(revoked(at)).toMatchObject([{ credential: 'exmaple' }]);
  });

  test('revokes although the policy is broken', async () => {
    const at = withPolicy('version = 1\n[network');
    expect((await at.run(credentialsCommand, 'revoke', 'example')).status).toBe(125);
    expect(revoked(at)).toMatchObject([{ credential: 'example' }]);
  });

  test.each([[['revoke']], [['revoke', 'example', '--all']], [['show', 'more']], [['other']]])(
    '%j is refused',
    async (words) => {
      const { status, stderr } = await withPolicy(policy).run(credentialsCommand, ...words);
      expect([status, stderr]).toEqual([125, expect.stringContaining('HF_USAGE')]);
    },
  );
});
