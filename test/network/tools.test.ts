import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backends, has } from '../lib/holdfast.ts';
import { bareRepository, serveGit, subjects } from './lib/git-server.ts';
import { publicFile } from './lib/public-file.ts';
import { debianRepository, npmRegistry } from './lib/registry.ts';
import { identityFor, listening, newAuthority } from './lib/servers.ts';
import { remark } from './lib/web-clients.ts';
import { ordinary, World } from './lib/world.ts';

const name = 'service.example';
const bundle = '/etc/ssl/certs/ca-certificates.crt';
const author = '-c user.name=T -c user.email=t@example.org';

/**
 * Clones, commits and pushes in the box's own /tmp, because a repository in the workspace would be protected like the
 * user's.
 */
function gitScript(url: string): string {
  return `set -e; cd /tmp; git clone -q ${url} copy; cd copy; echo text > file; git add file; git ${author} commit -q -m second; git push -q origin main; git ls-remote ${url} main | cut -f 2`;
}

function scratch(): string {
  const directory = join(publicFile('empty', ''), '..');
  return directory;
}

describe('git over https', () => {
  test.each(['splice', 'interception'])('clone, commit and push through %s', async (way) => {
    const root = scratch();
    const repository = bareRepository(root);
    const authority = newAuthority();
    const { port } = await listening(createHttpsServer(identityFor(authority, name), serveGit(root)));
    const rule = `ca = ["${publicFile('ca.pem', authority.certificatePem)}"]\n[[http]]\nname = "git"\ndecision = "allow"\nhosts = ["${name}"]\npaths = ["/project.git/**"]`;
    const world = new World({
      names: [name],
      policy:
        way === 'splice'
          ? `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]`
          : `[network]\nhosts = ["127.0.0.1:${port}"]\n${rule}`,
      files: way === 'splice' ? { [bundle]: `${readFileSync(bundle, 'utf8')}\n${authority.certificatePem}` } : {},
    });
    const outcome = await world.inside(gitScript(`https://${name}:${port}/project.git`));
    expect(outcome).toMatchObject({ status: 0, stdout: 'refs/heads/main\n' });
    expect(subjects(repository)).toEqual(['second', 'first']);
  });

  test('a rule about methods and paths allows fetching and refuses pushing, and git shows the reason', async () => {
    const root = scratch();
    const repository = bareRepository(root);
    const authority = newAuthority();
    const { port } = await listening(createHttpsServer(identityFor(authority, name), serveGit(root)));
    const policy = `[network]\nhosts = ["127.0.0.1:${port}"]\nca = ["${publicFile('ca.pem', authority.certificatePem)}"]
[[http]]\nname = "read-only"\ndecision = "deny"\nhosts = ["${name}"]\npaths = ["/**/git-receive-pack"]\nreason = "pushing is for people"
[[http]]\nname = "fetch"\ndecision = "allow"\nhosts = ["${name}"]\npaths = ["/project.git/**"]`;
    const world = new World({ names: [name], policy });
    const outcome = await world.inside(gitScript(`https://${name}:${port}/project.git`));
    expect(outcome.status).not.toBe(0);
    expect(outcome.stderr).toMatch(
      /403[^]*holdfast: POST .*git-receive-pack is refused: read-only of .* says so \(pushing is for people\)/u,
    );
    expect(subjects(repository)).toEqual(['first']);
  });
});

describe.skipIf(!has('/usr/sbin/sshd'))(
  `git over ssh${has('/usr/sbin/sshd') ? '' : ' (NOT TRIED: this machine has no sshd)'}`,
  () => {
    test.each(backends)('clone, commit and push, with %s', async (backend) => {
      const root = scratch();
      const { port, user, repository, knownHost, key } = await sshServer(root);
      const world = new World({ names: [name], policy: `[network]\nhosts = ["${name}:${port}", "127.0.0.1:${port}"]` });
      world.write('known', `[${name}]:${port} ${knownHost}\n`);
      world.write('login', key);
      const ssh = 'ssh -i login0 -o IdentitiesOnly=yes -o UserKnownHostsFile=$PWD/known -o BatchMode=yes'.replace(
        'login0',
        '/tmp/login',
      );
      const outcome = await world.inside(
        `install -m 600 login /tmp/login; export GIT_SSH_COMMAND="${ssh}"; ${gitScript(`ssh://${user}@${name}:${port}${repository}`)}`,
        { backend },
      );
      expect(outcome).toMatchObject({ status: 0, stdout: 'refs/heads/main\n' });
      expect(subjects(repository)).toEqual(['second', 'first']);
      // A hanging process is killed, and has no status.
      const refused = await world.inside(`ssh -o BatchMode=yes ${user}@other.example`, { backend });
      expect(refused).toMatchObject({
        status: 255,
        stderr: expect.stringMatching(/(?:reset|closed)[^]*holdfast: connecting to other\.example:22 is refused/u),
      });
    });
  },
);

describe.each(['http', 'https'] as const)('npm install from a registry over %s', (scheme) => {
  test.each(backends)(`with %s${remark('npm')}`, async (backend) => {
    if (!has('npm')) return;
    const authority = newAuthority();
    let port = 0;
    const handler = npmRegistry(scratch(), () => `${scheme}://${name}:${port}`);
    ({ port } = await listening(
      scheme === 'http' ? createHttpServer(handler) : createHttpsServer(identityFor(authority, name), handler),
    ));
    const rule = `ca = ["${publicFile('ca.pem', authority.certificatePem)}"]\n[[http]]\nname = "npm"\ndecision = "allow"\nhosts = ["${name}"]\nmethods = ["GET"]`;
    const world = new World({
      names: [name],
      policy:
        scheme === 'http'
          ? `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]`
          : `[network]\nhosts = ["127.0.0.1:${port}"]\n${rule}`,
    });
    world.write('package.json', '{"name":"app","version":"1.0.0"}');
    world.write('.npmrc', `registry=${scheme}://${name}:${port}/\naudit=false\nfund=false\nupdate-notifier=false\n`);
    const outcome = await world.inside('npm install --silent left-thing && node -p \'require("left-thing")\'', {
      backend,
    });
    expect(outcome).toMatchObject({ status: 0, stdout: 'left\n' });
  });
});

test.each([
  ['a closed network', ''],
  ['a network without the registry', '[network]\nhosts = ["elsewhere.example"]'],
])('npm install in %s ends soon, and the refusal is explained', async (_where, policy) => {
  if (!has('npm')) return;
  const world = new World({ policy });
  world.write('package.json', '{"name":"app","version":"1.0.0"}');
  world.write('.npmrc', `registry=https://registry.example/\naudit=false\nfund=false\nupdate-notifier=false\n`);
  const began = Date.now();
  const { status, stderr } = await world.inside('npm install left-thing');
  expect([status === 0, Date.now() - began < 40_000]).toEqual([false, true]);
  expect(stderr).toContain('holdfast: connecting to registry.example:443 is refused');
});

describe(`apt${remark('apt-get')}`, () => {
  test.each(backends)('apt-get update and download, with %s', async (backend) => {
    if (!has('apt-get')) return;
    const { port } = await listening(createHttpServer(debianRepository(scratch())));
    const world = new World({ names: [name], policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]` });
    world.write('sources.list', `deb [trusted=yes] http://${name}:${port} ./\n`);
    // The machine's lists and caches are not writable in the box, and the box has no other user.
    const options =
      '-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State=/tmp/apt -o Dir::State::status=/dev/null -o Dir::Cache=/tmp/apt -o APT::Sandbox::User= -o Acquire::Languages=none';
    const outcome = await world.inside(
      `set -e; mkdir -p /tmp/apt/lists/partial /tmp/apt/archives/partial; apt-get -qq ${options} update; apt-get -qq ${options} download left-thing; dpkg-deb -f left-thing_1.0_all.deb Package`,
      { backend },
    );
    expect(outcome).toMatchObject({ status: 0, stdout: expect.stringMatching(/^left-thing$/mu) });
  });
});

interface SshServer {
  readonly port: number;
  readonly user: string;
  readonly repository: string;
  readonly knownHost: string;
  /** The private key for it. */
  readonly key: string;
}

/** An ordinary user's `sshd` on a high port. For root, that user is one of a machine with such a user. */
async function sshServer(root: string): Promise<SshServer> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 'git' : userInfo().username;
  const world = new World({
    policy: '',
    user: 'an ordinary user',
    files: isRoot
      ? { '/etc/passwd': `${readFileSync('/etc/passwd', 'utf8')}git:x:${ordinary}:${ordinary}::${root}:/bin/sh\n` }
      : {},
  });
  const directory = join(world.project.root, 'ssh');
  mkdirSync(directory);
  for (const file of ['host', 'login'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, file)]);
  const repository = bareRepository(directory);
  const port = await freePort();
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${directory}/host`,
    `AuthorizedKeysFile ${directory}/login.pub`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PasswordAuthentication no',
  ];
  world.write('../ssh/sshd.conf', `${settings.join('\n')}\n`);
  if (isRoot) execFileSync('chown', ['-R', `${ordinary}:${ordinary}`, directory]);
  const sshd = world.spawn(['/usr/sbin/sshd', '-D', '-e', '-f', join(directory, 'sshd.conf')]);
  onTestFinished(() => void sshd.kill('SIGKILL'));
  await reachable(port);
  return {
    port,
    user,
    repository,
    knownHost: readFileSync(join(directory, 'host.pub'), 'utf8').trim(),
    key: readFileSync(join(directory, 'login'), 'utf8'),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1');
    const [name] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (name === 'connect') return;
    await sleep(50);
  }
  throw new Error('sshd did not start');
}
