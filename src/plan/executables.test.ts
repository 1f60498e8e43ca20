import { describe, expect, test } from 'vitest';
import { describePlan } from './describe.ts';
import { planExecutables } from './compile.ts';
import type { ExecutableFact } from './facts.ts';
import { host } from './testing/host.ts';

const loader = '/usr/lib/ld.so';
const executable = (program: string, real: string, ...needs: readonly string[]): ExecutableFact => ({
  program,
  real,
  needs,
});
const listOf = (...programs: readonly string[]): string => `[commands]\nallow = ${JSON.stringify(programs)}\n`;

function executionOf(policy: string, executables: readonly ExecutableFact[] = []) {
  const { execution, rules } = host({
    policy,
    tree: { '/usr/lib': 'directory', '/opt': 'directory' },
    executables,
  }).plan().landlock;
  return { execution, rules: rules.flatMap(({ path, access }) => (access === 'execute' ? [path] : [])) };
}

/** The rules of a policy that lists these programs. */
function rulesOf(executables: readonly ExecutableFact[]): readonly string[] {
  const { execution, rules } = executionOf(listOf(...executables.map(({ program }) => program)), executables);
  expect(execution).toBe('listed');
  return rules;
}

describe('the executable files', () => {
  test.each([
    ['the policy names none', ''],
    ['programs are refused', '[commands]\ndeny = ["curl"]\n'],
    ['a pattern names no file', listOf('cat', './build.sh')],
    ['a pattern names many', listOf('cat', 'npm*')],
  ])('are all files where %s', (_, policy) => {
    expect(executionOf(policy, [executable('cat', '/usr/bin/cat', loader)])).toEqual({ execution: 'any', rules: [] });
  });

  test.each([
    ['the list is empty', listOf()],
    ['its programs are all absent', listOf('no-such-program', '/opt/nor-this')],
  ])('are none where %s', (_, policy) => {
    expect(executionOf(policy)).toEqual({ execution: 'listed', rules: [] });
  });

  test('are none where two lists have no program in common', () => {
    const { landlock } = host({ policy: listOf('cat'), project: listOf('ls') }).plan();
    expect(landlock).toMatchObject({
      execution: 'listed',
      rules: expect.not.arrayContaining([expect.objectContaining({ access: 'execute' })]),
    });
  });

  test('are the listed programs with their loaders and interpreters, each once', () => {
    expect(
      rulesOf([
        executable('npm', '/usr/lib/npm/cli.js', '/usr/bin/env', loader),
        executable('cat', '/usr/bin/cat', loader),
      ]),
    ).toEqual(['/usr/bin/cat', '/usr/bin/env', loader, '/usr/lib/npm/cli.js'].sort());
  });

  test('include a file outside the box’s view, because it is absent there', () => {
    expect(rulesOf([executable('tool', '/nowhere/tool'), executable('cat', '/usr/bin/cat')])).toEqual([
      '/nowhere/tool',
      '/usr/bin/cat',
    ]);
  });

  test.each(['/home/me/project/node_modules/.bin/cat', '/tmp/cat'])('exclude a bare name found in %s', (path) => {
    expect(rulesOf([executable('cat', path, loader), executable('cat', '/usr/bin/cat', loader)])).toEqual([
      '/usr/bin/cat',
      loader,
    ]);
    expect(rulesOf([executable('cat', path, loader)])).toEqual([]);
  });

  test.each([
    ['a path that the policy names', executable('/home/me/project/tool', '/home/me/project/tool')],
    ['an interpreter', executable('tool', '/usr/bin/tool', '/home/me/project/.venv/bin/python')],
  ])('are left to the supervisor where the box can change %s', (_, changeable) => {
    expect(
      executionOf(listOf('cat', changeable.program), [executable('cat', '/usr/bin/cat', loader), changeable]),
    ).toEqual({ execution: 'any', rules: [] });
  });

  test('include no file in memory', () => {
    const groupsOf = (policy: string, ...executables: readonly ExecutableFact[]) =>
      host({ policy, executables }).plan().notify;
    expect(groupsOf(listOf('cat'), executable('cat', '/usr/bin/cat'))).toEqual({
      kind: 'supervisor',
      groups: ['creations', 'own-sockets', 'executions', 'memory-files'],
    });
    expect(groupsOf(listOf('cat'))).toEqual({
      kind: 'supervisor',
      groups: ['creations', 'own-sockets', 'executions', 'memory-files'],
    });
    expect(groupsOf(listOf('cat', './x'))).toEqual({
      kind: 'supervisor',
      groups: ['creations', 'own-sockets', 'executions'],
    });
  });

  test('do not depend on the order of the facts', () => {
    const facts = [executable('b', '/usr/bin/b', loader), executable('a', '/usr/bin/a', loader)];
    const listed = host({ policy: listOf('a', 'b') });
    const rules = (executables: readonly ExecutableFact[]) =>
      planExecutables(listed.policy, { ...listed.facts, executables }, listed.plan().mounts);
    expect(rules(facts)).toEqual(rules(facts.toReversed()));
  });

  test('are described to a person, even if there are none', () => {
    const textOf = (policy: string, ...executables: readonly ExecutableFact[]): string =>
      describePlan(host({ policy, executables }).plan(), 'x64');
    expect(textOf('')).not.toMatch(/^ {2}execute /mu);
    expect(textOf(listOf('cat'), executable('cat', '/usr/bin/cat'))).toMatch(/^ {2}execute \/usr\/bin\/cat$/mu);
    expect(textOf(listOf('cat'))).toMatch(/^ {2}execute nothing/mu);
  });
});
