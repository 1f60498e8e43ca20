import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { identity } from '../../src/egress/tls/testing/servers.ts';
import { openCluster, type Cluster } from '../../src/cluster/session/open-cluster.ts';
import { ApiServer } from './api-server.ts';
import { shortPatience } from './cluster-scene.ts';

class Folder {
  readonly root = mkdtempSync(join(tmpdir(), 'holdfast-kubeconfig-'));

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  write(name: string, text: string, mode = 0o600): string {
    const file = join(this.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  open(kubeconfig: string): Promise<Cluster> {
    const { PATH } = process.env;
    return openCluster({
      kubeconfig,
      environment: { PATH },
      cwd: this.root,
      writableRoots: [join(this.root, 'ws')],
      patience: shortPatience,
    });
  }
}

const authority = createAuthority();
const tls = identity(authority, '127.0.0.1');
const ca = Buffer.from(authority.certificatePem).toString('base64');

async function secured(): Promise<ApiServer> {
  return ApiServer.start({ tls });
}

function configOf(api: ApiServer, user: object, cluster: object = { 'certificate-authority-data': ca }): string {
  return api.kubeconfig({ server: `https://127.0.0.1:${api.port}`, cluster, user });
}

const plugin = `#!/bin/sh
test -n "$KUBERNETES_EXEC_INFO" || exit 9
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"good-token"}}'
`;
const exec = (command: string): object => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args: ['get-token'], interactiveMode: 'Never' },
});

describe('credentials', () => {
  test('a token, a token file, and an exec plugin', async () => {
    using folder = new Folder();
    using api = await secured();
    const program = folder.write('bin/plugin', plugin, 0o700);
    const token = folder.write('token', 'good-token\n');
    for (const user of [
      { token: 'good-token' },
      { tokenFile: token },
      { tokenFile: 'token' },
      exec(program),
      exec('bin/plugin'),
    ]) {
      const cluster = await folder.open(folder.write('config', configOf(api, user)));
      expect(await cluster.list()).toEqual([]);
    }
  });

  test('a wrong token, and no credentials', async () => {
    using folder = new Folder();
    using api = await secured();
    for (const user of [{ token: 'bad' }, {}]) {
      const cluster = await folder.open(folder.write('config', configOf(api, user)));
      await expect(cluster.list()).rejects.toThrow('does not accept the credentials of the context "test"');
    }
  });

  test('a plugin is asked again if its credential is refused', async () => {
    using folder = new Folder();
    using api = await secured();
    const program = folder.write(
      'bin/plugin',
      `#!/bin/sh\ncd ${folder.root}; echo x >> asked; printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"token-%s"}}' "$(wc -l < asked | tr -d ' ')"\n`,
      0o700,
    );
    api.tokens.clear();
    api.tokens.add('token-2');
    const cluster = await folder.open(folder.write('config', configOf(api, exec(program))));
    expect(await cluster.list()).toEqual([]);
  });
});

describe('certificates', () => {
  test.each<[string, (api: ApiServer) => object]>([
    [
      'another authority',
      () => ({ 'certificate-authority-data': Buffer.from(createAuthority().certificatePem).toString('base64') }),
    ],
    ['no authority', () => ({})],
    ['another name', () => ({ 'certificate-authority-data': ca, 'tls-server-name': 'elsewhere.example' })],
  ])('%s: nothing is sent', async (_, cluster) => {
    using folder = new Folder();
    using api = await secured();
    const opened = await folder.open(folder.write('config', configOf(api, { token: 'good-token' }, cluster(api))));
    await expect(opened.list()).rejects.toThrow(
      /certificate of the API server .* is not one that the kubeconfig trusts/u,
    );
    expect(api.seen).toEqual([]);
  });

  test.each<[string, object, object, RegExp]>([
    ['an unchecked certificate', { 'insecure-skip-tls-verify': true }, {}, /not to check the certificate/u],
    ['a proxy', { 'proxy-url': 'http://proxy.example' }, {}, /wants a proxy/u],
    ['an auth-provider', {}, { 'auth-provider': { name: 'gcp' } }, /auth-provider/u],
    ['impersonation', {}, { as: 'admin' }, /impersonates "admin"/u],
  ])('%s is refused', async (...[, cluster, user, message]) => {
    using folder = new Folder();
    using api = await secured();
    await expect(folder.open(folder.write('config', configOf(api, user, cluster)))).rejects.toThrow(message);
  });

  test('credentials go nowhere without TLS', async () => {
    using folder = new Folder();
    using api = await ApiServer.start();
    const config = folder.write('config', api.kubeconfig({ user: { token: 'good-token' } }));
    await expect(folder.open(config)).rejects.toThrow(/would send its credentials to .* without TLS/u);
    const far = folder.write('config', api.kubeconfig({ server: 'http://192.0.2.1:8080' }));
    await expect(folder.open(far)).rejects.toThrow(/has no https server/u);
  });
});

describe('owners whose kubeconfig is not accepted', () => {
  const places: readonly (readonly [string, (folder: Folder, text: string) => string, RegExp])[] = [
    [
      'a repository',
      (folder, text) => {
        mkdirSync(join(folder.root, 'repository/.git'), { recursive: true });
        return folder.write('repository/deep/config', text);
      },
      /it is in the repository/u,
    ],
    ['a workspace', (folder, text) => folder.write('ws/config', text), /it is in a workspace/u],
    ['a file that others can write', (folder, text) => folder.write('config', text, 0o666), /others can write/u],
    ['a file that a group can write', (folder, text) => folder.write('config', text, 0o660), /others can write/u],
    [
      'a directory that others can write',
      (folder, text) => {
        const file = folder.write('open/config', text);
        chmodSync(dirname(file), 0o777);
        return file;
      },
      /others can write/u,
    ],
    [
      'a symlink out of a repository',
      (folder, text) => {
        mkdirSync(join(folder.root, 'repository/.git'), { recursive: true });
        rmSync(join(folder.root, 'repository/link'), { force: true });
        symlinkSync(folder.write('config', text), join(folder.root, 'repository/link'));
        return join(folder.root, 'repository/link');
      },
      /it is in the repository/u,
    ],
  ];

  test.each(places)('%s names no program', async (_, put, why) => {
    using folder = new Folder();
    using api = await secured();
    const program = folder.write('bin/plugin', `#!/bin/sh\ntouch ${folder.root}/ran\n`, 0o700);
    await expect(folder.open(put(folder, configOf(api, exec(program))))).rejects.toThrow(why);
    await expect(folder.open(put(folder, configOf(api, exec(program))))).rejects.toThrow(/may not name the program/u);
    expect(api.seen).toEqual([]);
  });

  test.each(places)('%s names no secret file', async (_, put, why) => {
    using folder = new Folder();
    using api = await secured();
    const secret = folder.write('secret', 'good-token');
    for (const user of [{ tokenFile: secret }, { 'client-certificate': secret, 'client-key': secret }]) {
      await expect(folder.open(put(folder, configOf(api, user)))).rejects.toThrow(why);
      await expect(folder.open(put(folder, configOf(api, user)))).rejects.toThrow(/may not name the secret file/u);
    }
    expect(api.seen).toEqual([]);
  });

  test('a trusted kubeconfig names no program and no secret that a box can write', async () => {
    using folder = new Folder();
    using api = await secured();
    const program = folder.write('ws/plugin', plugin, 0o700);
    const cluster = await folder.open(folder.write('config', configOf(api, exec(program))));
    await expect(cluster.list()).rejects.toThrow(/where a box can write/u);
    const secret = folder.write('ws/token', 'good-token');
    await expect(folder.open(folder.write('config', configOf(api, { tokenFile: secret })))).rejects.toThrow(
      /not used as a secret/u,
    );
  });

  test('a repository may still name a server, with a token inside the file', async () => {
    using folder = new Folder();
    using api = await secured();
    mkdirSync(join(folder.root, 'repository/.git'), { recursive: true });
    const cluster = await folder.open(folder.write('repository/config', configOf(api, { token: 'good-token' })));
    expect(await cluster.list()).toEqual([]);
  });
});

test.each<[string, string, RegExp]>([
  ['no YAML', '{ a: [', /cannot be read: it is not YAML/u],
  ['a secret in broken YAML', 'token: "hunter2\n', /^(?!.*hunter2).*it is not YAML/u],
  ['no kubeconfig', 'hello', /is no kubeconfig/u],
  ['no context', '{}', /has no current context/u],
  ['a missing context', 'current-context: gone', /has no context "gone"/u],
])('%s', async (_, text, message) => {
  using folder = new Folder();
  await expect(folder.open(folder.write('config', text))).rejects.toThrow(message);
});

test('no file', async () => {
  using folder = new Folder();
  await expect(folder.open(join(folder.root, 'none'))).rejects.toThrow(/there is no kubeconfig/u);
});
