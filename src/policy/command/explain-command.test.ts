import { describe, expect, test } from 'vitest';
import { analyse } from '../../shell/analyse/analyse.ts';
import type { AnalysedInvocation } from '../../shell/types.ts';
import { analysisOf, factsWith, opacity, type Shape } from '../testing/analyses.ts';
import { places, policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { effectRequests, explainCommand } from './explain-command.ts';

const facts = factsWith();
const explained = (texts: PolicyTexts, shapes: readonly Shape[]) =>
  explainCommand(policyFrom(texts), analysisOf(shapes), facts);
const writes = (path: string | undefined) =>
  ({ writes: [{ use: 'write', scope: 'file', path, text: String(path) }] }) as const;

describe('effectRequests', () => {
  const requestsOf = (effects: NonNullable<Shape['effects']>) =>
    effectRequests(analysisOf([{ argv: ['x'], effects }]).invocations[0] as AnalysedInvocation);

  test('each use of a path is a request of its own', () => {
    expect(
      requestsOf({
        reads: [{ use: 'read', scope: 'tree', path: '/srv/a', text: 'a' }],
        writes: [
          { use: 'write', scope: 'file', path: '/srv/b', text: 'b' },
          { use: 'delete', scope: 'tree', path: '/srv/c', text: 'c' },
        ],
      }),
    ).toEqual([
      { request: { kind: 'file', operation: 'read', path: '/srv/a' } },
      { request: { kind: 'file', operation: 'write', path: '/srv/b' } },
      { request: { kind: 'file', operation: 'delete', path: '/srv/c' } },
    ]);
  });

  test('hosts have the port of HTTPS where they name none', () => {
    expect(
      requestsOf({
        hosts: [
          { host: 'a.example', port: undefined, text: 'a' },
          { host: 'b.example', port: 22, text: 'b' },
        ],
      }),
    ).toEqual([
      { request: { kind: 'connect', host: 'a.example', port: 443, protocol: 'tcp' } },
      { request: { kind: 'connect', host: 'b.example', port: 22, protocol: 'tcp' } },
    ]);
  });

  test.each([
    ['ssh', 'host.example', 22],
    ['scp', 'host.example:/srv', 22],
    ['rsync', 'host.example:x', 22],
    ['rsync', 'host.example::module', 873],
    ['git push', 'git@host.example:x/y.git', 22],
    ['tar', 'host.example:x.tar', 22],
    ['psql', 'host.example', 5432],
    ['mysql', 'host.example', 3306],
    ['redis-cli', 'host.example', 6379],
    ['telnet', 'host.example', 23],
    ['ftp', 'host.example', 21],
    ['dig', 'host.example', 53],
    ['npm publish', 'host.example', 443],
    [undefined, 'host.example:x', 443],
  ])('%s talks to %s on %i', (tool, text, port) => {
    const [invocation] = analysisOf([
      { argv: ['x'], effects: { hosts: [{ host: 'host.example', port: undefined, text }] } },
    ]).invocations;
    expect(effectRequests({ ...(invocation as AnalysedInvocation), tool })).toMatchObject([
      { request: { host: 'host.example', port } },
    ]);
  });

  test.each([
    ['git clone git://host.example/x', 9418],
    ['git clone ssh://host.example/x', 22],
    ['git clone git@host.example:x', 22],
    ['git clone https://host.example/x', 443],
    ['curl http://host.example/', 80],
    ['curl host.example', 80],
    ['ssh dev@host.example ls', 22],
    ['nc host.example 25', 25],
    ['psql -h host.example', 5432],
  ])('a real line: %s', (line, port) => {
    const { invocations } = analyse(
      { kind: 'script', text: line, shell: 'bash' },
      { cwd: places.workspace, home: places.home },
    );
    expect(
      invocations
        .flatMap(effectRequests)
        .flatMap(({ request }) => (request.kind === 'connect' ? [[request.host, request.port]] : [])),
    ).toEqual([['host.example', port]]);
  });

  test('unknown effects give no request, and repeated ones give one', () => {
    expect(requestsOf({ ...writes(undefined), hosts: [{ host: undefined, port: 1, text: '$x' }] })).toEqual([]);
    const read = { use: 'read', scope: 'file', path: '/srv/a', text: 'a' } as const;
    expect(requestsOf({ reads: [read, { ...read, text: './a' }] })).toHaveLength(1);
  });
});

describe('explainCommand', () => {
  test('without rules about commands, only the box’s refusals are obstacles', () => {
    const { commands, verdict, obstacles, effects } = explained({}, [
      { argv: ['$x'], opaque: [opacity('dynamic-program')] },
      { argv: ['cp', 'a', '/etc/x'], effects: writes('/etc/x') },
    ]);
    expect(commands).toBe('open');
    expect(verdict).toMatchObject({ decision: 'allow', parts: [] });
    expect(effects).toMatchObject([{ invocation: 1, verdict: { decision: 'deny', code: 'not-granted' } }]);
    expect(obstacles).toEqual([
      {
        invocation: 1,
        message: 'writing /etc/x is refused: nothing in the policy grants it',
        ways: ['add files.write = ["/etc/x"] to ~/.config/holdfast/policy.toml, or run with --write /etc/x'],
      },
    ]);
  });

  test('each part that does not go ahead has its way', () => {
    const { commands, verdict, obstacles } = explained({ user: '[commands]\nask = ["git push"]\ndeny = ["curl"]' }, [
      { argv: ['git', 'push'] },
      { argv: ['curl', 'x'], opaque: [opacity('unknown-option', '`x` is odd')] },
      { argv: ['ls'] },
    ]);
    expect(commands).toBe('judged');
    expect(verdict.decision).toBe('deny');
    expect(obstacles).toHaveLength(3);
    expect(obstacles).toEqual(
      expect.arrayContaining([
        {
          invocation: 0,
          message: expect.stringContaining('waits for approval: commands.ask[0]'),
          ways: ['change commands.ask[0] in user.toml line 3'],
        },
        {
          invocation: 1,
          message: expect.stringContaining('is refused: commands.deny[0]'),
          ways: ['change commands.deny[0] in user.toml line 4'],
        },
        {
          invocation: 1,
          message: expect.stringContaining('`x` is odd'),
          ways: [expect.stringContaining('approve it when asked')],
        },
      ]),
    );
  });

  test('every obstructing layer is named', () => {
    const [obstacle] = explained({ user: '[commands]\ndeny = ["curl"]', project: '[commands]\nallow = ["git"]' }, [
      { argv: ['curl'] },
    ]).obstacles;
    expect(obstacle?.ways).toEqual([
      'change commands.deny[0] in user.toml line 3',
      'add commands.allow = ["/usr/bin/curl"] to project.toml',
    ]);
  });

  test('the shortest way comes first, and nothing twice', () => {
    const { obstacles } = explained({ user: '[commands]\ndeny = ["curl"]', project: '[commands]\nallow = ["git"]' }, [
      { argv: ['curl'] },
      { argv: ['curl'] },
      { argv: ['git'], effects: writes('/etc/a') },
    ]);
    expect(obstacles.map(({ ways }) => ways.length)).toEqual([1, 2]);
  });

  test('writing into a directory does not write the directory itself', () => {
    const into = (path: string) =>
      explained({}, [{ argv: ['x'], effects: { writes: [{ use: 'write', scope: 'tree', path, text: path }] } }])
        .obstacles.length;
    expect(into('/home/dev/app/.git')).toBe(0);
    expect(explained({}, [{ argv: ['x'], effects: writes('/home/dev/app/.git') }]).obstacles).toHaveLength(1);
    expect(into('/home/dev/app/.git/hooks')).toBe(1);
    expect(into('/etc')).toBe(1);
  });

  test('a planted program has its own remedy', () => {
    const { obstacles } = explainCommand(
      policyFrom({ user: '[commands]\nask = ["git push"]' }),
      analysisOf([{ argv: ['git'] }]),
      factsWith({ git: { kind: 'planted', path: '/tmp/git' } }),
    );
    expect(obstacles).toEqual([
      {
        invocation: 0,
        message: expect.stringContaining('would start /tmp/git'),
        ways: [expect.stringContaining('write the absolute path')],
      },
    ]);
  });

  test('allowed, journalled and redirected commands have no obstacle', () => {
    const user = ['allow', 'audit', 'redirect']
      .map(
        (decision) =>
          `[[exec]]\nname = "${decision}"\ndecision = "${decision}"\ncommands = ["x-${decision}"]${decision === 'redirect' ? '\nredirect_to = ["y"]' : ''}`,
      )
      .join('\n');
    expect(
      explained({ user }, [{ argv: ['x-allow'] }, { argv: ['x-audit'] }, { argv: ['x-redirect'] }]).obstacles,
    ).toEqual([]);
  });
});
