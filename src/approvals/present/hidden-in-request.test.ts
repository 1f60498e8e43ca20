import { describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../policy/index.ts';
import { hiddenInRequest, unaskable } from './hidden-in-request.ts';

const tags = (text: string): string => Array.from(text, (character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('');
const exec = (...argv: readonly string[]): PolicyRequest => ({ kind: 'exec', program: '/usr/bin/git', argv, context: 'direct' });
const file = (path: string): PolicyRequest => ({ kind: 'file', operation: 'write', path });
const connect = (host: string): PolicyRequest => ({ kind: 'connect', host, port: 443, protocol: 'tcp' });
const verdict = { message: 'asks' };

describe('nobody is asked about what does not show', () => {
  test.each([
    ['tag characters in a word', exec('git', `push${tags(' --force')}`), /tag.*says " --force"/u],
    ['CVE-2021-42574: letters that run the other way', exec('git', 'commit', '-m', 'a\u202eb'), /bidi/u],
    ['a zero-width space in a word', exec('git', 'pu\u200bsh'), /invisible/u],
    ['a filler for a blank', exec('rm', 'a\u3164b'), /filler/u],
    ['a blank that is none', exec('rm', '-rf\u00a0/srv'), /separator/u],
    ['an escape sequence', exec('git', '\u001b[2J'), /control/u],
    ['a return, which writes over the line', exec('git', 'push\rgit log'), /control/u],
    ['half a character', exec('git', '\ud800'), /surrogate/u],
    ['the program itself', { ...exec('git'), program: '/srv/project/g\u200bit' }, /invisible/u],
    ['a path', file('/srv/project/a\u2066b'), /bidi/u],
    ['a path with a line of its own', file('/srv/project/a\nwrite /srv/project/b'), /control|separator/u],
    ['a host', connect('exam\u00adple.com'), /invisible/u],
  ] as const)('%s', (_, request, told) => {
    expect(hiddenInRequest({ request, verdict })).toMatch(told);
  });

  test('a message that a rule wrote counts too', () => {
    expect(hiddenInRequest({ request: exec('git'), verdict: { message: 'fine\u200b' } })).toMatch(/invisible/u);
  });
});

test.each([
  ['words', exec('git', 'commit', '-m', 'Größe und Maß')],
  ['a script with lines', exec('sh', '-c', 'set -e\n\tls -l\n')],
  ['other letters', exec('cat', '日本語 ファイル', 'نامه')],
  ['look-alikes, which show', exec('cat', 'р\u0430ypal')],
  ['a path with blanks', file('/srv/my project/größe.txt')],
  ['a host', connect('example.com')],
] as const)('%s are asked about', (_, request) => {
  expect(hiddenInRequest({ request, verdict })).toBeUndefined();
});

test('the refusal says what is hidden, in letters that show', () => {
  const hidden = hiddenInRequest({ request: exec('git', tags('drop')), verdict }) ?? '';
  expect(unaskable(hidden)).toMatch(/^nobody was asked.*says "drop"/u);
  expect(unaskable(hidden)).toMatch(/^[\x20-\x7e×]*$/u);
});
