import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlace } from '../../place/place.ts';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { openSessionCredentials, type SessionCredentials } from './session-credentials.ts';

const secret = 'EXAMPLEcanary0123456789';

/** A session whose box gets the file `netrc` of a directory that `prepare` has filled. */
function opened(prepare: (path: string, root: string) => void): {
  readonly path: string;
  readonly session: Promise<SessionCredentials>;
} {
  const root = scratchDirectory();
  const path = join(root, 'netrc');
  plant(root, {
    'ws/': '',
    'config/holdfast/policy.toml': `version = 1\n[network]\nhosts = ["api.example.com"]\n[[credentials]]\nname = "one"\nhosts = ["api.example.com"]\nsource = { env = "ONE" }\ninject = { kind = "bearer" }\nfiles = [{ path = "${path}", format = "netrc" }]\n`,
  });
  prepare(path, root);
  const environment = {
    PATH: '/usr/bin:/bin',
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
    ONE: secret,
  };
  const place = readPlace({ cwd: join(root, 'ws'), environment });
  return {
    path,
    session: openSessionCredentials({
      id: 's1',
      place,
      environment,
      writableRoots: [join(root, 'ws')],
      gitSettings: 0,
    }),
  };
}

const entry = `machine api.example.com password ${secret}\n`;

describe('a credential file of the host, for the box', () => {
  test.each([
    ['is a FIFO', (path: string) => void execFileSync('mkfifo', [path]), 'is not a regular file'],
    ['is a directory', (path: string) => void mkdirSync(path), 'is not a regular file'],
    [
      'is longer than a mebibyte',
      (path: string) => plant(join(path, '..'), { netrc: entry.padEnd(1024 * 1024 + 1) }),
      'is longer than 1024 KiB',
    ],
    [
      'is not UTF-8',
      (path: string) => plant(join(path, '..'), { netrc: Buffer.from([...Buffer.from(entry), 0xff]) }),
      'it is not UTF-8',
    ],
    [
      'is a symlink into the workspace',
      (path: string, root: string) => (plant(root, { 'ws/netrc': entry }), symlinkSync('ws/netrc', path)),
      'is where a box can write',
    ],
    [
      'leads through a symlink of the workspace',
      (path: string, root: string) => (
        plant(root, { real: entry }), symlinkSync('../real', join(root, 'ws/link')), symlinkSync('ws/link', path)
      ),
      'is where a box can write',
    ],
  ])('is not read where it %s', async (_, prepare, reason) => {
    const { path, session } = opened(prepare);
    const error = await session.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code: 'HF_CREDENTIAL_FILE',
      message: expect.stringMatching(new RegExp(`^the box cannot be given ${path}: .*${reason}`, 'u')) as string,
    });
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  test('does not show the secret under an unknown name, in base64 or as a name', async () => {
    const elsewhere = `macdef init\nquote ${secret}\n\nmachine ${secret} login ${Buffer.from(secret).toString('base64')}\n`;
    const { delivered } = await opened((path) => plant(join(path, '..'), { netrc: elsewhere })).session;
    const [{ content } = { content: '' }] = delivered.files;
    expect(content).toMatch(/macdef init\nquote \*+\n\nmachine \*+ login \*{20,}\S{0,3}\n/u);
  });

  test('is shown without its secret, and generated if missing', async () => {
    const shown = await opened((path) => plant(join(path, '..'), { netrc: `# mine\n${entry}` })).session;
    const made = await opened(() => undefined).session;
    for (const { delivered } of [shown, made]) {
      expect(delivered.files.map(({ content }) => content)).toEqual([
        expect.stringMatching(/machine api\.example\.com\s.*password \S+\n/su),
      ]);
      expect(JSON.stringify(delivered)).not.toContain(secret);
    }
  });
});
