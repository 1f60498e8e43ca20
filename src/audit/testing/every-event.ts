import type { JournalEvent } from '../events.ts';
import { endEvent, refusalEvent, startEvent } from './events.ts';

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { readonly type: Type }>;

/** One event of each type, with a text of the caller's wherever someone else than Holdfast chooses one. */
export function everyEvent(session: string, text: string): readonly JournalEvent[] {
  return Object.values(eventsBy(session, text));
}

function eventsBy(session: string, text: string): { readonly [Type in JournalEvent['type']]: EventOf<Type> } {
  const inSession = { session, workspace: `/srv/${text}` };
  const { verdict } = refusalEvent(session);
  const judged = {
    ...inSession,
    request: { kind: 'file', operation: 'read', path: `/etc/${text}` },
    verdict: { ...verdict, message: `${text} is not granted`, file: `/srv/${text}/holdfast.toml`, line: 3 },
  } as const;
  const host = { host: `${text}.example.com`, port: 443 };
  const layer = { workspace: `/srv/${text}`, layer: 'l-1' };
  const checkpoint = { workspace: `/srv/${text}`, checkpoint: 'c-1' };
  return {
    'session.start': { ...startEvent(session, ['sh', '-c', text]), ...inSession, cwd: `/srv/${text}`, staged: 'l-1' },
    refusal: { ...judged, type: 'refusal', observed: 'enforcement' },
    enforcement: { ...judged, type: 'enforcement', outcome: 'neutralised', argv: ['true', text], entry: 't-1' },
    quarantine: {
      ...inSession,
      type: 'quarantine',
      path: `/srv/${text}/.git/hooks/x`,
      movedTo: `/var/q/${text}`,
      reason: 'protected',
    },
    connection: {
      ...inSession,
      ...host,
      type: 'connection',
      front: 'connect',
      address: '192.0.2.1',
      sent: 3,
      received: 5,
      duration: 1500,
      refusal: { code: 'refused', message: text },
      process: { pid: 1, program: text },
    },
    request: {
      ...inSession,
      ...host,
      type: 'request',
      method: 'GET',
      scheme: 'https',
      path: `/${text}`,
      status: 200,
      decision: 'allow',
    },
    statement: {
      ...inSession,
      ...host,
      type: 'statement',
      protocol: 'postgres',
      user: text,
      database: text,
      text,
      decision: 'deny',
      outcome: 'ERROR 42501',
      count: 2,
    },
    model: {
      ...inSession,
      ...host,
      type: 'model',
      provider: 'anthropic',
      dialect: 'anthropic-messages',
      operation: 'generate',
      model: text,
      agent: text,
      status: 200,
      tokens: { uncachedInput: 3, cacheRead: 2, cacheWrite5m: 1, cacheWrite1h: 0, output: 9, reasoning: 4 },
      usd: 0.25,
      prices: 'table 1',
      completeness: 'partial',
      duration: 1500,
      firstByte: 200,
      toolCalls: [{ name: text, arguments: text }],
      log: 'm-1',
      logFailure: text,
    },
    dlp: {
      ...inSession,
      ...host,
      type: 'dlp',
      path: `/${text}`,
      rule: text,
      decision: 'block',
      found: { 'github-token': 2 },
    },
    credential: { ...inSession, ...host, type: 'credential', credential: text, action: 'unavailable', message: text },
    alarm: { ...inSession, ...host, type: 'alarm', alarm: 'phantom-unbound', credential: text, place: 'the query' },
    'approval.requested': { ...judged, type: 'approval.requested', hash: 'ab'.repeat(32), title: text },
    'approval.resolved': {
      ...inSession,
      type: 'approval.resolved',
      hash: 'ab'.repeat(32),
      decision: 'deny',
      because: 'time-out',
      waited: 61_000,
    },
    'trust.decided': {
      type: 'trust.decided',
      workspace: `/srv/${text}`,
      action: 'approve',
      level: 'always',
      signer: text,
      files: [{ path: text, sha256: 'cd'.repeat(32), surface: 'hooks' }],
    },
    'trust.withheld': { ...inSession, type: 'trust.withheld', files: [{ path: text, state: 'new' }] },
    text: {
      ...inSession,
      type: 'text',
      boundary: 'command-output',
      where: text,
      findings: { tag: 2, bidi: 1 },
      decoded: [text],
      likeness: { name: text, score: 0.9, signals: [text] },
    },
    'staged.accept': { ...layer, type: 'staged.accept', changes: 2, left: 1 },
    'staged.discard': { ...layer, type: 'staged.discard', removed: true },
    'staged.undo': { ...layer, type: 'staged.undo', entries: 3 },
    'staged.fork': { ...layer, type: 'staged.fork', forks: ['l-2', 'l-3'] },
    'cluster.run': {
      type: 'cluster.run',
      workspace: layer.workspace,
      run: '0123456789abcdef',
      server: 'https://cluster.example:6443',
      namespace: 'agents',
      name: 'holdfast-1',
      argv: ['npm', 'test'],
    },
    'cluster.collect': {
      type: 'cluster.collect',
      workspace: layer.workspace,
      run: '0123456789abcdef',
      layer: 'l-1',
      changes: 2,
    },
    'code.run': {
      ...inSession,
      type: 'code.run',
      command: 'c3',
      language: 'python',
      sha256: 'cd'.repeat(32),
      bytes: 5,
      start: '1 + 1',
    },
    'policy.narrow': { ...inSession, type: 'policy.narrow', policy: 'ab'.repeat(32), wider: ['c1'], ended: ['c2'] },
    'trash.restore': { type: 'trash.restore', workspace: `/srv/${text}`, entry: 't-1', path: `/srv/${text}` },
    'trash.purge': { type: 'trash.purge', entries: ['t-1'], bytes: 12 },
    'checkpoint.create': { ...checkpoint, type: 'checkpoint.create', name: text, entries: 2, bytes: 20 },
    'checkpoint.restore': { ...checkpoint, type: 'checkpoint.restore', written: 1, removed: 2, skipped: 3 },
    'checkpoint.remove': { ...checkpoint, type: 'checkpoint.remove' },
    'journal.keyed': { type: 'journal.keyed', key: 'ef'.repeat(8) },
    'journal.rotated': { type: 'journal.rotated', part: 2 },
    'journal.repaired': { type: 'journal.repaired', bytes: 9 },
    'journal.lost': { type: 'journal.lost', entries: 2 },
    'journal.clock': { type: 'journal.clock', jump: -3_600_000 },
    'journal.begun': { type: 'journal.begun', aside: 'journal-aside', reason: text },
    'session.end': { ...endEvent(session), ...inSession, exitCode: 3, reason: 'time-out' },
  };
}
