import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pages, snippets, textOf, written } from '../lib/docs-pages.ts';
import { type Project, repository } from '../lib/holdfast.ts';
import { anchors, links } from '../lib/markdown.ts';
import { checkPolicy, docsProject } from '../lib/snippets.ts';

/** The words that may follow each language. `text` is shown and not tested. */
const languages: Readonly<Record<string, RegExp>> = {
  sh: /^(?:exits=\d+|postgres|redis|root)?$/u,
  ts: /^$/u,
  toml: /^(?:project|problems|project problems)?$/u,
  text: /^$/u,
};

test('every fence is text, or in a language that a test tries', () => {
  const unknown = snippets.filter(({ language, words }) => languages[language]?.test(words.join(' ')) !== true);
  expect(unknown.map(({ at, language, words }) => `${at}: ${[language, ...words].join(' ')}`)).toEqual([]);
  expect(written('sh').length).toBeGreaterThan(5);
});

describe('policies', () => {
  let project: Project;
  beforeAll(() => {
    project = docsProject();
    // Runs the command in this process, with this process's home.
    vi.stubEnv('HOME', project.home);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    project[Symbol.dispose]();
  });

  test.each(written('toml'))('$at', async ({ code, words }) => {
    const { status, printed } = await checkPolicy(project, {
      text: code,
      place: words.includes('project') ? 'project' : 'user',
    });
    expect(status, printed).toBe(words.includes('problems') ? 1 : 0);
  });
});

describe('links', () => {
  const relative = pages.flatMap((page) =>
    links(textOf(page))
      .filter((target) => !/^[a-z]+:/u.test(target))
      .map((target) => ({ page, target })),
  );

  test.each(relative)('$page → $target', ({ page, target }) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(repository, page) : resolve(repository, dirname(page), path);
    expect(existsSync(file)).toBe(true);
    if (anchor !== undefined) expect(anchors(readFileSync(file, 'utf8'))).toContain(anchor);
  });
});

test('the dependencies page gives the reason for each', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Readonly<
    Record<'dependencies' | 'devDependencies', object>
  >;
  const named = [...textOf('docs/dependencies.md').matchAll(/`([^`]+)`/gu)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...devDependencies })));
});

test('the library page explains every error code', () => {
  const [, union = ''] = /export type HoldfastErrorCode =([^;]*);/u.exec(textOf('src/errors/holdfast-error.ts')) ?? [];
  const codes = [...union.matchAll(/'(HF_\w+)'/gu)].map(([, code]) => code);
  const explained = [...textOf('docs/errors.md').matchAll(/^\| `(HF_\w+)` \|/gmu)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(explained.toSorted()).toEqual(codes.toSorted());
});
