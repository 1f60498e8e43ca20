import process from 'node:process';
import type { JournalEvent, RefusalEvent } from '../../src/audit/index.ts';

const workspace = '/home/dev/app';
const verdict: RefusalEvent['verdict'] = {
  decision: 'deny',
  code: 'not-granted',
  rule: 'files.read',
  layer: 'required',
  file: 'built-in',
  line: 0,
  message: '',
  remedy: '',
};

/** A name in the form of a living process's sessions. */
export function livingSession(number: number): string {
  return `${Date.now().toString(36)}-${process.pid.toString(36)}-${number.toString(36)}`;
}

/** A working day's journal of `count` events: the kinds in turn, with different texts. */
export function* manyEvents(count: number, session = livingSession(1)): Generator<JournalEvent> {
  yield {
    type: 'session.start',
    session,
    workspace,
    argv: ['claude', '--continue'],
    cwd: workspace,
    backend: 'native',
    uid: 1000,
    policy: 'ab'.repeat(32),
  };
  for (let index = 1; index < count; index += 1)
    yield kinds[index % kinds.length]?.(session, index) ?? refusal(session, index);
}

const hosts = [
  'registry.npmjs.org',
  'api.anthropic.com',
  'github.com',
  'pypi.org',
  'static.crates.io',
  'proxy.golang.org',
  'example.com',
  'example.org',
];

function hostOf(index: number): string {
  return hosts[Math.floor(index / kinds.length) % hosts.length] ?? '';
}

const kinds: readonly ((session: string, index: number) => JournalEvent)[] = [
  (session, index) => ({
    type: 'connection',
    session,
    workspace,
    front: 'connect',
    host: hostOf(index),
    port: 443,
    address: '192.0.2.7',
    decision: 'allow',
    rule: 'hosts',
    sent: 400 + ((index * 37) % 9000),
    received: 3000 + ((index * 7919) % 240_000),
    duration: 120,
  }),
  (session, index) => ({
    type: 'request',
    session,
    workspace,
    method: 'GET',
    scheme: 'https',
    host: hostOf(index),
    port: 443,
    path: `/packages/${index}`,
    status: 200,
    decision: 'allow',
    rule: 'hosts',
  }),
  (session, index) => ({
    type: 'enforcement',
    session,
    workspace,
    request: { kind: 'file', operation: 'delete', path: `${workspace}/build/${index}.o` },
    verdict: { ...verdict, decision: 'stage', rule: 'keep-build' },
    outcome: 'kept',
    entry: `e${index}`,
  }),
  refusal,
];

const refused: readonly {
  readonly request: RefusalEvent['request'];
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
}[] = [
  {
    request: { kind: 'connect', host: 'paste.example', port: 443, protocol: 'tcp' },
    rule: 'network.default',
    message: 'connecting to paste.example:443 is not granted',
    remedy: 'add "paste.example" to network.hosts of your policy, or use --host paste.example',
  },
  {
    request: { kind: 'file', operation: 'write', path: `${workspace}/.git/hooks/post-commit` },
    rule: 'protected.git-hooks',
    message: `writing ${workspace}/.git/hooks/post-commit is refused: git would run it outside of the box`,
    remedy: 'nothing in a project can allow it; write the hook yourself',
  },
  {
    request: { kind: 'file', operation: 'read', path: '/home/dev/.ssh/id_ed25519' },
    rule: 'credential-stores',
    message: 'reading /home/dev/.ssh/id_ed25519 is not granted',
    remedy: 'nothing would allow it: credential stores never enter the box',
  },
  {
    request: { kind: 'exec', program: '/usr/bin/sudo', argv: ['sudo', 'make', 'install'], context: 'nested' },
    rule: 'commands.sudo',
    message: 'running sudo make install is refused',
    remedy: 'run it outside of the box',
  },
];

function refusal(session: string, index: number): RefusalEvent {
  const { request, ...said } = refused[Math.floor(index / kinds.length) % refused.length] ?? {
    request: { kind: 'env', name: 'A' },
    rule: '',
    message: '',
    remedy: '',
  };
  return { type: 'refusal', session, workspace, observed: 'output', request, verdict: { ...verdict, ...said } };
}
