import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publicFile } from './lib/public-file.ts';
import { identityFor, newAuthority, secureServer } from './lib/servers.ts';
import { Project } from '../lib/holdfast.ts';
import { outcomeOf, World } from './lib/world.ts';

const name = 'web.example';

test('holdfast proxy --trust writes the authority and the phantoms, and never a key', async () => {
  const key = 'example_live_7Hq2mVx9Lk4TzB6w';
  const authority = newAuthority();
  const { port } = await secureServer(identityFor(authority, name), (request, response) =>
    response.end(request.headers.authorization === `Bearer ${key}` ? 'the key' : 'no key'),
  );
  const ca = publicFile('ca.pem', authority.certificatePem);
  const world = new World({
    names: [name],
    policy: `[network]
hosts = ["${name}:${port}", "127.0.0.1:${port}"]
ca = ["${ca}"]
[[credentials]]
name = "example"
source = { env = "REAL_KEY" }
hosts = ["${name}:${port}"]
inject = { kind = "bearer" }
environment = ["TOKEN"]`,
    environment: { REAL_KEY: key },
  });
  const directory = join(world.project.root, 'trust');
  const proxy = world.start(['proxy', '--json', '--trust', directory]);
  onTestFinished(() => void proxy.kill('SIGKILL'));
  const [exports] = (await once(proxy.stdout ?? proxy, 'data')) as [Buffer];
  const { TOKEN = '', CURL_CA_BUNDLE = '', https_proxy: url = '' } = JSON.parse(String(exports)) as NodeJS.ProcessEnv;
  const ask = (...words: readonly string[]) =>
    outcomeOf(
      world.spawn([
        'curl',
        '-sS',
        '-x',
        url,
        '-H',
        `Authorization: Bearer ${TOKEN}`,
        ...words,
        `https://${name}:${port}/`,
      ]),
    );
  expect(await ask('--cacert', CURL_CA_BUNDLE)).toMatchObject({ status: 0, stdout: 'the key' });
  // Control: a program that does not know the authority.
  expect((await ask()).stderr).toContain('certificate');
  expect(String(exports)).not.toContain(key);
  expect(dirname(CURL_CA_BUNDLE)).toBe(directory);
  // Attack: a program of the workspace makes the directory first, with links that the files would follow.
  expect(await world.holdfast(['proxy', '--trust', directory])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('cannot be written into') as string,
  });
});

test('a box of --phantoms gets the files of phantoms, and a box without it does not', async () => {
  const key = 'example_live_7Hq2mVx9Lk4TzB6w';
  const world = new World({
    names: [name],
    policy: `[network]
hosts = ["${name}"]
[[credentials]]
name = "example"
source = { env = "REAL_KEY" }
hosts = ["${name}"]
inject = { kind = "basic", user = "dev" }
base_urls = ["EXAMPLE_URL=/v1"]
files = [{ path = "~/.netrc", format = "netrc" }, { path = "~/.git-credentials", format = "git" }]`,
    environment: { REAL_KEY: key },
  });
  const directory = join(world.project.root, 'trust');
  const proxy = world.start(['proxy', '--json', '--trust', directory]);
  onTestFinished(() => void proxy.kill('SIGKILL'));
  await once(proxy.stdout ?? proxy, 'data');
  using other = new Project();
  const script = 'echo "$EXAMPLE_URL"; git config --get-regexp credential; cat "$1/.netrc" "$1/.git-credentials" 2>&1';
  const run = (...words: readonly string[]) =>
    other.holdfast(['run', ...words, '--', 'sh', '-c', script, 'sh', world.project.home]);
  const { stdout, stderr } = run('--phantoms', join(directory, 'phantoms.json'));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^http:\/\/example\.credentials\.holdfast\/v1\n/u);
  expect(stdout).toContain(`credential.https://${name}.helper`);
  expect(stdout).toMatch(new RegExp(`^machine ${name}\nlogin dev\npassword \\S+\n`, 'mu'));
  expect(stdout).toMatch(new RegExp(`^https://dev:\\S+@${name}\n`, 'mu'));
  expect(stdout).not.toContain(key);
  expect(run().stdout).toMatch(/^\n(?:.*\n)*.*No such file/u);
  // Attack: a file of another shape, which leads out of its place.
  other.write('wrong.json', '{"environment":{},"files":[{"target":"/etc/../x","content":""}]}');
  expect(run('--phantoms', 'wrong.json')).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('no phantoms') as string,
  });
});
