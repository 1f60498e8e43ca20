import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha } from '../../trust/testing/values.ts';
import { eventsIn } from '../testing/events-in.ts';
import { type Ended, scene, type Scene } from '../testing/run.ts';
import { trustCommand } from './index.ts';

interface Status {
  readonly files: readonly { readonly path: string; readonly state: string }[];
}

function repository(environment: Readonly<Record<string, string>> = {}): Scene {
  const made = scene(environment);
  writeFileSync(join(made.workspace, '.mcp.json'), '{"mcpServers":{"docs":{"command":"docs-server"}}}\n');
  writeFileSync(join(made.workspace, 'AGENTS.md'), '# Be nice\n');
  return made;
}

describe('holdfast trust keys', () => {
  let at: Scene;
  beforeEach(() => {
    at = repository();
  });

  const put = (path: string, text: string): void => writeFileSync(join(at.workspace, path), text);
  const trust = (...words: readonly string[]): Promise<Ended> => at.run(trustCommand, ...words);
  const hashOf = (path: string): string => `${path}=${sha(readFileSync(join(at.workspace, path)))}`;
  const states = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (JSON.parse((await trust('status', '--json')).stdout) as Status).files.map(({ path, state }) => [path, state]),
    );

  const keys = generateKeyPairSync('ed25519');
  const withKey = async (...more: readonly string[]): Promise<Ended> => {
    const file = join(dirname(at.workspace), 'dev.pem');
    writeFileSync(file, keys.publicKey.export({ format: 'pem', type: 'spki' }));
    return trust('keys', 'add', 'dev', file, ...more);
  };
  const signFile = (path: string): void =>
    writeFileSync(
      join(at.workspace, `${path}.sig`),
      sign(null, readFileSync(join(at.workspace, path)), keys.privateKey),
    );

  test('files signed by a trusted key are approved without a question, in CI too', async () => {
    at = repository({ CI: '1' });
    rmSync(join(at.workspace, '.mcp.json'));
    expect((await withKey()).status).toBe(0);
    expect((await trust('keys', 'list')).stdout).toMatch(/^dev {2}Ed25519 /u);
    signFile('AGENTS.md');
    expect((await trust('status')).stdout).toContain('signed   AGENTS.md');
    expect(await trust('add')).toEqual({ status: 0, stdout: 'approved 1 file, signed by dev\n', stderr: '' });
    expect((await trust('status')).status).toBe(0);
    expect((await eventsIn(at.run)).map((event) => (event as { readonly signer: unknown }).signer)).toEqual([
      'dev',
      'dev',
    ]);
  });

  test('a signature does not approve unseen files beside it', async () => {
    await withKey();
    signFile('AGENTS.md');
    expect(await trust('add', '--yes', '--sha256', `.mcp.json=${sha('another')}`)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('nothing was approved') as unknown,
    });
    expect(await states()).toEqual({ '.mcp.json': 'new', 'AGENTS.md': 'new' });
  });

  test('a signed file that changed is not approved', async () => {
    await withKey();
    signFile('AGENTS.md');
    put('AGENTS.md', '# Be evil\n');
    expect((await trust('status')).stdout).toContain('new      AGENTS.md');
  });

  test('removing a key removes its approvals, and no others', async () => {
    const signer = { name: 'dev' };
    expect(JSON.parse((await withKey('--json')).stdout)).toMatchObject({ workspace: at.workspace, added: signer });
    expect(JSON.parse((await trust('keys', 'list', '--json')).stdout)).toMatchObject({
      workspace: at.workspace,
      signers: [signer],
    });
    signFile('AGENTS.md');
    await trust('add', '--yes', '--sha256', hashOf('.mcp.json'));
    expect(JSON.parse((await trust('keys', 'remove', 'dev', '--json')).stdout)).toEqual({
      workspace: at.workspace,
      removed: 'dev',
      revoked: [{ path: 'AGENTS.md', sha256: sha(readFileSync(join(at.workspace, 'AGENTS.md'))) }],
    });
    expect(await states()).toEqual({ '.mcp.json': 'approved', 'AGENTS.md': 'new' });
    expect((await trust('keys', 'remove', 'dev')).status).toBe(125);
  });

  test.each([
    [[]],
    [['add']],
    [['add', 'x']],
    [['add', 'x', 'AGENTS.md']],
    [['add', 'x', '--identity', 'a@b']],
    [['list', 'x']],
    [['remove']],
    [['other']],
  ])('keys %j is refused', async (words) => {
    expect(await trust('keys', ...words)).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('HF_USAGE') as unknown,
    });
  });
});
