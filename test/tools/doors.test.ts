import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../src/session/session.ts';
import { startToolBox } from '../../src/tools/session/open-tool.ts';
import { repository } from '../lib/holdfast.ts';
import { closeWorld, openWorld, outcomeOf, type ToolWorld, toolWorld, webServer, writeTool } from './lib/tools.ts';

const patience = { timeout: 60_000 };

describe('paths', patience, () => {
  let world: ToolWorld;
  const inside = (path: string): string => join(world.project.workspace, path);
  const says = (source: string, more: string): Promise<string> =>
    outcomeOf(
      world.sandbox.tools.run(
        writeTool(
          world,
          `try { holdfast.output(String(${source})) } catch (error) { holdfast.output("refused: " + error.message) }`,
          more,
        ),
      ),
    );

  beforeAll(async () => {
    world = await openWorld();
    for (const directory of ['data', 'data-of-others', 'out']) mkdirSync(inside(directory));
    writeFileSync(inside('data/a'), 'in a');
    writeFileSync(inside('secret'), 'secret');
    writeFileSync(inside('data-of-others/b'), 'secret');
    symlinkSync('../secret', inside('data/link'));
    symlinkSync('..', inside('data/up'));
    symlinkSync('/etc/hostname', inside('data/system'));
    symlinkSync('a', inside('data/within'));
    symlinkSync('../made', inside('out/dangling'));
    return () => closeWorld(world);
  });

  test('that are listed can be read and written', async () => {
    expect(await says('holdfast.readFile("data/a")', '[paths]\nread = ["data"]')).toBe('in a');
    expect(await says('holdfast.readFile("data/within")', '[paths]\nread = ["data"]')).toBe('in a');
    expect(await says(`holdfast.readFile(${JSON.stringify(inside('data/a'))})`, '[paths]\nread = ["data/a"]')).toBe(
      'in a',
    );
    expect(
      await says('holdfast.writeFile("out/x", "made") + holdfast.readFile("out/x")', '[paths]\nwrite = ["out"]'),
    ).toBe('undefinedmade');
    expect(readFileSync(inside('out/x'), 'utf8')).toBe('made');
  });

  test.each([
    'secret',
    'data/../secret',
    'data/link',
    'data/up/secret',
    'data-of-others/b',
    '/etc/hostname',
    '/proc/self/environ',
    'data/system',
    'data/up',
    '',
  ])('that are not listed cannot be read: %s', async (path) => {
    expect(await says(`holdfast.readFile(${JSON.stringify(path)})`, '[paths]\nread = ["data"]')).toMatch(
      /^refused: (?:the manifest lists no path|ENOENT)/u,
    );
  });

  test.each(['data/a', 'secret', 'out/../secret', 'out/dangling', 'new'])('or written: %s', async (path) => {
    expect(
      await says(`holdfast.writeFile(${JSON.stringify(path)}, "x")`, '[paths]\nread = ["data"]\nwrite = ["out"]'),
    ).toMatch(/^refused: /u);
    expect(readFileSync(inside('data/a'), 'utf8') + readFileSync(inside('secret'), 'utf8')).toBe('in asecret');
    expect(existsSync(inside('made')) || existsSync(inside('new'))).toBe(false);
  });

  test('that the policy does not grant are an error before anything runs', async () => {
    for (const path of ['/root/.ssh', '/etc/shadow', '.git/hooks', 'missing'])
      expect(await says('1', `[paths]\nwrite = [${JSON.stringify(path)}]`), path).toMatch(/^HF_TOOL_INVALID /u);
  });
});

describe('hosts', patience, () => {
  const ask = (url: string): string =>
    `try { const { status, body } = holdfast.http(${JSON.stringify(url)}); holdfast.output(status + body) } catch (error) { holdfast.output("refused: " + error.message) }`;

  test('have to be listed and allowed, on every hop', async () => {
    const arrived: string[] = [];
    const second = await webServer((request, response) => (arrived.push(request.url ?? ''), response.end('arrived')));
    const first = await webServer((request, response) =>
      request.url === '/plain'
        ? response.end('plain')
        : response.writeHead(302, { location: `http://127.0.0.1:${second}/x` }).end(),
    );
    const world = await toolWorld({ grants: { hosts: [`127.0.0.1:${first}`, `127.0.0.1:${second}`] } });
    const says = (url: string, more: string): Promise<string> =>
      outcomeOf(world.sandbox.tools.run(writeTool(world, ask(url), more)));
    const both = `hosts = ["127.0.0.1:${first}", "127.0.0.1:${second}"]`;
    const one = `hosts = ["127.0.0.1:${first}"]`;
    expect(await says(`http://127.0.0.1:${first}/plain`, one)).toBe('200plain');
    expect(await says(`http://127.0.0.1:${first}/`, both)).toBe('200arrived');
    expect(arrived).toEqual(['/x']);
    expect(await says(`http://127.0.0.1:${first}/`, one)).toMatch(/^refused: .*not among the hosts/u);
    expect(await says(`http://127.0.0.1:${second}/`, one)).toMatch(/^refused: .*not among the hosts/u);
    expect(await says(`http://127.0.0.1:${first}/plain`, 'hosts = []')).toMatch(
      /^refused: the manifest lists no hosts/u,
    );
    expect(arrived).toEqual(['/x']);
    const third = await webServer((_, response) => response.end('third'));
    expect(await says(`http://127.0.0.1:${third}/`, 'hosts = ["any", "127.0.0.1"]')).toMatch(/^refused: /u);
  });
});

test('the box around it has no network, no file of the workspace or home, no variable', patience, async () => {
  const port = await webServer((_, response) => response.end());
  const { project, sandbox } = await toolWorld();
  project.write('secret', 'secret');
  const session = await openSession({
    cwd: sandbox.workspace,
    workspace: sandbox.workspace,
    environment: { ...project.libraryEnvironment, TOKEN: 'x' },
    grants: { environment: ['TOKEN'], hosts: [`127.0.0.1:${port}`], write: [project.home] },
  });
  const file = join(repository, 'test/tools/fixtures/look-around.cjs');
  const { stdout, ended } = await startToolBox(
    session,
    { name: 'probe', sha256: '0' },
    {
      argv: [process.execPath, file, project.workspace, project.home, String(port)],
      visible: [process.execPath, file],
    },
  );
  const said = (await stdout.toArray()).join('');
  await ended;
  const seen = JSON.parse(said) as Readonly<Record<string, unknown>>;
  expect(seen).toEqual({
    environment: [],
    readWorkspace: 'ENOENT',
    listHome: 'ENOENT',
    writeWorkspace: 'ENOENT',
    writeSelf: expect.stringMatching(/^(?:EROFS|EACCES)$/u),
    descriptors: [],
    network: expect.stringMatching(/^(?:ECONNREFUSED|ENETUNREACH|EACCES|EPERM)$/u),
  });
});
