import { expect, test } from 'vitest';
import { guardRefusal } from './guard-refusals.ts';

test.each([
  ['n/ws/.vscode', { request: { kind: 'file', operation: 'create', path: '/ws/.vscode' } }],
  [
    'c/run/x.sock\0/usr/bin/curl',
    { request: { kind: 'socket', operation: 'connect', address: '/run/x.sock' }, program: '/usr/bin/curl' },
  ],
  ['s/run/x.sock\0', { request: { kind: 'socket', operation: 'send', address: '/run/x.sock' } }],
  ['n', { request: { kind: 'file', operation: 'create', path: '' } }],
])('%j', (report, refusal) => {
  expect(guardRefusal(Buffer.from(report))).toEqual(refusal);
});
