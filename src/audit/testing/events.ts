import type { RefusalEvent, SessionEndEvent, SessionStartEvent } from '../events.ts';

export function startEvent(session: string, argv: readonly string[] = ['true']): SessionStartEvent {
  return {
    type: 'session.start',
    session,
    workspace: '/srv/project',
    argv,
    cwd: '/srv/project',
    backend: 'native',
    uid: 1000,
    policy: 'ab'.repeat(32),
  };
}

export function endEvent(session: string): SessionEndEvent {
  return {
    type: 'session.end',
    session,
    workspace: '/srv/project',
    exitCode: 0,
    signal: 0,
    duration: 12,
    reason: 'exit',
  };
}

export function refusalEvent(session: string): RefusalEvent {
  return {
    type: 'refusal',
    session,
    workspace: '/srv/project',
    observed: 'output',
    request: { kind: 'file', operation: 'read', path: '/etc/shadow' },
    verdict: {
      decision: 'deny',
      code: 'not-granted',
      rule: 'files.read.default',
      layer: 'required',
      file: 'built-in',
      line: 0,
      message: 'not granted',
      remedy: 'grant it',
    },
  };
}
