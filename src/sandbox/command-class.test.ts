import { expect, test } from 'vitest';
import { commandClass, commandClasses } from './index.ts';

test('a text is read as a shell reads it, and words as they stand', () => {
  expect(commandClass('ls; touch a').kind).toBe('writes the workspace');
  expect(commandClass(['echo', '; touch a']).kind).toBe('reads');
  expect(commandClass('ls | wc')).toEqual({ kind: 'reads', because: undefined, reasons: [] });
});

test('what is the workspace, and what is a home, is told', () => {
  const options = { cwd: '/srv/a/src', workspace: '/srv/a', home: '/home/dev' };
  expect(commandClass('touch ../b', options).kind).toBe('writes the workspace');
  expect(commandClass('touch ../b', { ...options, workspace: '/srv/a/src' }).kind).toBe('changes the machine');
  expect(commandClass('rm -r /home/dev', options)).toMatchObject({
    kind: 'destroys',
    because: { why: 'deletes /home/dev', invocation: 0 },
  });
});

test('every class is listed, from weak to strong', () => {
  expect(commandClasses[0]).toBe('reads');
  expect(commandClasses).toContain(commandClass('no-such-program').kind);
});
