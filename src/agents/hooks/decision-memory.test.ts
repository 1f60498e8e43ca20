import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import { readPlace, type Place } from '../../place/place.ts';
import { decisionMemory } from './open-host.ts';
import { freshDecisions } from './fresh-decisions.ts';
import type { HookCall, HookDecision, ToolAction } from './types.ts';

const program = ['/opt/node', '/opt/holdfast.cjs'];

function scene(): { readonly place: Place; readonly environment: Record<string, string>; readonly directory: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-hooks-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const environment = { XDG_CONFIG_HOME: root, XDG_STATE_HOME: root, PATH: '/usr/bin:/bin' };
  return {
    environment,
    place: readPlace({ cwd: root, workspace: root, environment }),
    directory: join(root, 'holdfast/hooks'),
  };
}

const call = (tool: string, input: Record<string, unknown>, cwd: string): HookCall => ({
  moment: 'before',
  event: 'PreToolUse',
  tool,
  input,
  cwd,
});
const bash = (text: string, cwd: string, note = ''): readonly [ToolAction, HookCall] => [
  { kind: 'command', text, member: 'command' },
  call('Bash', { command: text, note }, cwd),
];
const access = (operation: 'read' | 'create', path: string, cwd: string): readonly [ToolAction, HookCall] => [
  { kind: 'access', requests: [{ kind: 'file', operation, path }] },
  call('Write', { file_path: path }, cwd),
];

const policies = [
  '',
  '[files]\ndeny = ["/data"]',
  '[files]\nread = ["/data"]',
  '[files]\nread = ["/date"]',
  '[commands]\ndeny = ["cat"]',
  '[commands]\ndeny = ["car"]',
  '[network]\nhosts = ["a.test"]',
  '[network]\nhosts = ["b.test"]',
];
const wishes = fc.record({
  policy: fc.constantFrom(...policies),
  what: fc.constantFrom<(cwd: string) => readonly [ToolAction, HookCall]>(
    (cwd) => bash('cat /data/x', cwd),
    (cwd) => bash('cat /data/x', cwd, 'a note'),
    (cwd) => bash('curl https://a.test', cwd),
    (cwd) => bash('cat x', cwd),
    (cwd) => access('read', '/data/x', cwd),
    (cwd) => access('create', '/data/x', cwd),
    (cwd) => [
      { kind: 'access', requests: [{ kind: 'connect', host: '127.0.0.1', port: 80, protocol: 'tcp' }] },
      call('WebFetch', {}, cwd),
    ],
    (cwd) => [
      { kind: 'mcp', requests: [{ kind: 'tool', server: 'a', tool: 'b', arguments: '{}' }] },
      call('mcp__a__b', {}, cwd),
    ],
    (cwd) => [{ kind: 'refused', reason: 'it is' }, call('Other', {}, cwd)],
  ),
  in: fc.constantFrom('', '/data'),
  program: fc.constantFrom(program, ['/opt/node', '/opt/other.cjs']),
});

test('a remembered decision equals a fresh one, whatever was remembered before', () => {
  const { place, environment } = scene();
  const fresh = freshDecisions();
  let recalled = 0;
  fc.assert(
    fc.property(fc.array(wishes, { minLength: 3, maxLength: 12 }), (sequence) => {
      for (const each of sequence) {
        const at = {
          ...place,
          sources:
            each.policy === ''
              ? []
              : [{ kind: 'user' as const, file: place.paths.userPolicy, text: `version = 1\n${each.policy}\n` }],
        };
        const [action, asked] = each.what(each.in === '' ? place.workspace.root : each.in);
        const memory = decisionMemory(at, each.program);
        const known = memory.recall(action, asked);
        const decision = fresh({ place: at, environment, program: each.program }, action, asked);
        if (known === undefined) memory.remember(action, asked, decision);
        else {
          recalled += 1;
          expect(known).toEqual(JSON.parse(JSON.stringify(decision)));
        }
      }
    }),
    { numRuns: rounds(60) },
  );
  expect(recalled).toBeGreaterThan(20);
});

describe('the state directory', () => {
  const pass: HookDecision = { answer: { kind: 'pass' }, judged: [], follows: 'texts' };

  function kept() {
    const { place, directory } = scene();
    const memory = decisionMemory(place, program);
    const question = access('read', '/data/x', '/');
    memory.remember(...question, pass);
    const [name = ''] = readdirSync(directory);
    return { place, directory, memory, question, file: join(directory, name) };
  }

  test("counts where it is this user's alone, and nowhere else", () => {
    const { memory, question, file } = kept();
    expect(memory.recall(...question)).toEqual(pass);
    chmodSync(file, 0o640);
    expect(memory.recall(...question)).toBeUndefined();
    chmodSync(file, 0o600);
    expect(memory.recall(...question)).toEqual(pass);
    // Only root can give a file away.
    if (process.getuid?.() === 0) {
      chownSync(file, 65_534, 65_534);
      expect(memory.recall(...question)).toBeUndefined();
      chownSync(file, 0, 0);
    }
    renameSync(file, `${file}.moved`);
    symlinkSync(`${file}.moved`, file);
    expect(memory.recall(...question)).toBeUndefined();
  });

  test('counts for the very same question', () => {
    const { memory, question, file, place } = kept();
    const text = readFileSync(file, 'utf8');
    const other = access('read', '/data/y', '/');
    memory.remember(...other, pass);
    for (const name of readdirSync(join(file, '..'))) writeFileSync(join(file, '..', name), text);
    expect([memory.recall(...question), memory.recall(...other)]).toEqual([pass, undefined]);
    expect(
      decisionMemory({ ...place, installation: { ...place.installation, code: '/nowhere' } }, program).recall(
        ...question,
      ),
    ).toBeUndefined();
    writeFileSync(file, '{');
    expect(memory.recall(...question)).toBeUndefined();
  });

  test('counts for the same code of Holdfast', () => {
    const { place, directory } = scene();
    const code = join(directory, '../../hook.cjs');
    writeFileSync(code, 'one');
    const memory = (): ReturnType<typeof decisionMemory> =>
      decisionMemory({ ...place, installation: { ...place.installation, code } }, program);
    const question = access('read', '/data/x', '/');
    memory().remember(...question, pass);
    expect(memory().recall(...question)).toEqual(pass);
    writeFileSync(code, 'other');
    expect(memory().recall(...question)).toBeUndefined();
  });

  test('holds no machine-specific and no long value', () => {
    const { memory, directory } = kept();
    memory.remember(...access('read', '/data/y', '/'), { ...pass, follows: 'machine' });
    memory.remember(...bash('x'.repeat(100_000), '/'), pass);
    expect(readdirSync(directory)).toHaveLength(1);
  });
});
