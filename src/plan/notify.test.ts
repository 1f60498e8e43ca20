import { describe, expect, test } from 'vitest';
import { host } from './testing/host.ts';

const notify = (policy: string) => host({ policy, tree: { '/home/me/project/asked': 'directory', '/home/me/project/kept': 'directory' } }).plan().notify;
const file = (decision: string, more = ''): string => `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["asked"]\n${decision === 'redirect' ? 'redirect_to = "kept"\n' : ''}${more}\n`;
const every = ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata'];

describe('planNotify', () => {
  test.each(['', file('allow'), file('deny'), '[sockets]\nallow = ["/run/app.sock"]\n', '[[signal]]\nname = "s"\ndecision = "allow"\n'])('nobody is asked under %j', (policy) => {
    expect(notify(policy)).toEqual({ kind: 'guard' });
  });

  test.each(['ask', 'redirect', 'stage', 'audit'])('%s on files needs every call about files', (decision) => {
    expect(notify(file(decision))).toEqual({ kind: 'supervisor', groups: every });
  });

  test('what is hidden from reading is reached by nothing else either', () => {
    expect(notify(file('ask', 'operations = ["read"]'))).toEqual({ kind: 'supervisor', groups: every });
  });

  test('an audit of reading needs opens; new names are guarded by who has the listener', () => {
    expect(notify(file('audit', 'operations = ["read"]'))).toEqual({ kind: 'supervisor', groups: ['opens', 'creations'] });
  });

  test.each(['deny', 'audit', 'ask'])('%s on sockets and signals needs theirs', (decision) => {
    expect(notify(`[[socket]]\nname = "s"\ndecision = "${decision}"\naddresses = ["/run/app.sock"]\n`)).toEqual({ kind: 'supervisor', groups: ['creations', 'sockets'] });
    expect(notify(`[[signal]]\nname = "s"\ndecision = "${decision}"\n`)).toEqual({ kind: 'supervisor', groups: ['creations', 'signals'] });
  });

  test.each(['[commands]\nask = ["git push"]\n', '[commands]\ndeny = ["curl"]\n', '[commands]\nallow = ["npm*"]\n', '[[exec]]\nname = "e"\ndecision = "audit"\ncommands = ["npm"]\n'])('%j needs what starts', (policy) => {
    expect(notify(policy)).toEqual({ kind: 'supervisor', groups: ['creations', 'executions'] });
  });

  test.each(['[]', '["git"]'])('a list of programs that the kernel holds needs what is made in memory, too: %s', (listed) => {
    expect(notify(`[commands]\nallow = ${listed}\n`)).toEqual({ kind: 'supervisor', groups: ['creations', 'executions', 'memory-files'] });
  });

  test('a rule about what enters alone needs nobody in the box', () => {
    expect(notify('[[exec]]\nname = "e"\ndecision = "deny"\ncommands = ["curl"]\ncontext = "direct"\n')).toEqual({ kind: 'guard' });
  });

  test('a project can ask for it too', () => {
    expect(host({ project: file('ask') }).plan().notify).toMatchObject({ kind: 'supervisor' });
  });
});

describe('what a supervisor lets pass is closed to the box itself', () => {
  const at = (policy: string): unknown => {
    const planned = host({ policy, tree: { '/home/me/project/asked': 'directory' } });
    return planned.at('/home/me/project/asked').map((mount) => (mount.kind === 'bind' ? mount.access : mount.kind));
  };

  test.each([
    ['ask', '', 'mask'],
    ['redirect', '', 'mask'],
    ['stage', '', 'read-only'],
    ['ask', 'operations = ["read"]', 'mask'],
    ['ask', 'operations = ["write"]', 'read-only'],
    ['ask', 'operations = ["create"]', 'read-only'],
    ['ask', 'operations = ["delete"]', 'read-only'],
    ['redirect', 'operations = ["write", "create"]', 'read-only'],
  ])('%s %s: %s', (decision, more, expected) => {
    expect(at(file(decision, more))).toEqual([expected]);
  });

  test.each(['audit', 'allow'])('%s changes nothing of what it sees', (decision) => {
    expect(at(file(decision))).toEqual([]);
  });

  test('names at any depth are looked for when it starts', () => {
    const names = (decision: string, operations: string) => host({ policy: `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["**/*.secret"]\n${operations}` }).plan().protection.names.flatMap(({ components, effect }) => (components[0] === '*.secret' ? [effect] : []));
    expect([names('ask', ''), names('ask', 'operations = ["write"]'), names('stage', ''), names('audit', '')]).toEqual([['hidden'], ['read-only'], ['read-only'], []]);
  });

  test('a pattern that the kernel cannot hold is refused, with what to write instead', () => {
    expect(() => host({ policy: '[[file]]\nname = "r"\ndecision = "ask"\npaths = ["src/*.key"]\n' })).toThrow(/cannot be held by the kernel; write "\*\*\/src\/\*\.key"/u);
  });
});
