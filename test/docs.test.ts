import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Project, repository } from './lib/holdfast.ts';
import { anchors, fences, links, type Fence } from './lib/markdown.ts';
import { isInstalled, type ServiceName, startService } from './lib/docs-services.ts';
import { type Machine, startMachine } from './lib/machine.ts';
import { docsProject, runShell, SnippetDirectory, checkPolicy } from './lib/snippets.ts';

const pages = ['README.md', ...globSync('docs/*.md', { cwd: repository }).toSorted()];
const textOf = (page: string): string => readFileSync(join(repository, page), 'utf8');

interface Snippet extends Fence {
  readonly page: string;
  readonly at: string;
}

const snippets = pages.flatMap((page) => fences(textOf(page)).map((fence): Snippet => ({ ...fence, page, at: `${page}:${fence.line}` })));
const written = (language: string): readonly Snippet[] => snippets.filter((snippet) => snippet.language === language);

/** For each language the words that may follow it. `text` is shown and not tried. */
const languages: Readonly<Record<string, RegExp>> = { sh: /^(?:exits=\d+|postgres|redis)?$/u, ts: /^$/u, toml: /^(?:project|problems|project problems)?$/u, text: /^$/u };

test('every fence is in a language that is tried, or is text', () => {
  const unknown = snippets.filter(({ language, words }) => languages[language]?.test(words.join(' ')) !== true);
  expect(unknown.map(({ at, language, words }) => `${at}: ${[language, ...words].join(' ')}`)).toEqual([]);
  expect(written('sh').length).toBeGreaterThan(5);
});

const home = new Project();
let machine: Machine;
beforeAll(async () => {
  machine = await startMachine({ directory: join(home.root, 'machine') });
}, 60_000);
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

const services: readonly string[] = Object.keys(isInstalled);

describe('shell', () => {
  test.each(written('sh').filter(({ words: [word = ''] }) => !services.includes(word)))('$at', { timeout: 60_000 }, ({ code, words }) => {
    using project = docsProject();
    const { status, stdout, stderr } = runShell({ project, machine }, code);
    expect(status, `${stdout}\n${stderr}`).toBe(Number(words[0]?.replace('exits=', '') ?? 0));
  });
});

describe.each(services as readonly ServiceName[])('shell, with %s', (name) => {
  test.skipIf(!isInstalled[name]).each(written('sh').filter(({ words: [word] }) => word === name))('$at', { timeout: 60_000 }, async ({ code }) => {
    using project = docsProject();
    await using service = await startService[name]();
    await using served = await startMachine({ directory: join(project.root, 'machine'), services: { [name]: service.socket } });
    const { status, stdout, stderr } = runShell({ project, machine: served }, code);
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  });
});

describe('policies', () => {
  test.each(written('toml'))('$at', ({ code, words }) => {
    using project = docsProject();
    const { status, stdout, stderr } = checkPolicy(project, { text: code, place: words.includes('project') ? 'project' : 'user' });
    expect(status, `${stdout}\n${stderr}`).toBe(words.includes('problems') ? 1 : 0);
  });
});

describe('programs', () => {
  const directory = new SnippetDirectory();
  const named = written('ts').map((snippet) => ({ ...snippet, name: `${snippet.at.replaceAll(/\W/gu, '-')}.ts` }));
  for (const { name, code } of named) directory.add(name, code);
  afterAll(() => directory[Symbol.dispose]());

  test('type check', { timeout: 60_000 }, () => {
    const { status, stdout } = directory.types();
    expect(status, stdout).toBe(0);
  });

  test.each(named)('$at', { timeout: 60_000 }, ({ name }) => {
    const { status, stdout, stderr } = directory.run(machine, name);
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  });
});

describe('links', () => {
  const relative = pages.flatMap((page) => links(textOf(page)).filter((target) => !/^[a-z]+:/u.test(target)).map((target) => ({ page, target })));

  test.each(relative)('$page → $target', ({ page, target }) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(repository, page) : resolve(repository, dirname(page), path);
    expect(existsSync(file)).toBe(true);
    if (anchor !== undefined) expect(anchors(readFileSync(file, 'utf8'))).toContain(anchor);
  });
});

test('the dependencies page says why each is there', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Readonly<Record<'dependencies' | 'devDependencies', object>>;
  const named = [...textOf('docs/dependencies.md').matchAll(/`([^`]+)`/gu)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...devDependencies })));
});

test('the library page says what every error code means', () => {
  const [, union = ''] = /export type HoldfastErrorCode =([^;]*);/u.exec(textOf('src/errors/holdfast-error.ts')) ?? [];
  const codes = [...union.matchAll(/'(HF_\w+)'/gu)].map(([, code]) => code);
  const explained = [...textOf('docs/library.md').matchAll(/^\| `(HF_\w+)` \|/gmu)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(explained.toSorted()).toEqual(codes.toSorted());
});
