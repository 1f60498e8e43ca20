import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../policy/request.ts';
import { findHidden } from '../../text/index.ts';
import { subject, writing } from '../queue/testing/subjects.ts';
import { columns } from './layout.ts';
import { hiddenInRequest, mostLines, type Presentation, presentSubject, unaskable } from './present-subject.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function show(request: PolicyRequest, details?: readonly string[]): Presentation {
  return presentSubject({ ...subject(request), ...(details === undefined ? {} : { details }) });
}

function shown(request: PolicyRequest, details?: readonly string[]): Extract<Presentation, { readonly kind: 'shown' }> {
  const presentation = show(request, details);
  if (presentation.kind === 'hidden') throw new Error(presentation.message);
  return presentation;
}

function command(...argv: readonly string[]): PolicyRequest {
  return { kind: 'exec', program: `/usr/bin/${argv[0]}`, argv, context: 'direct' };
}

describe('every kind of request', () => {
  test.each<readonly [PolicyRequest, string, readonly string[]]>([
    [
      { kind: 'file', operation: 'delete', path: '/home/dev/app/a b' },
      'delete "/home/dev/app/a b"',
      ['operation: delete', 'path: "/home/dev/app/a b"'],
    ],
    [
      command('git', 'push', '--force'),
      'run /usr/bin/git push --force',
      ['program: /usr/bin/git', 'argument 1: push', 'argument 2: --force'],
    ],
    [
      { kind: 'exec', program: '/bin/busybox', argv: ['sh', '-c', 'ls'], context: 'nested', unknown: [2] },
      'run /bin/busybox -c ls',
      [
        'program: /bin/busybox',
        'it is called: sh',
        'started by: another program in the box',
        'argument 1: -c',
        'argument 2: not known before it runs: any words may stand here',
      ],
    ],
    [
      { kind: 'connect', host: 'EXAMPLE.com.', port: 443, protocol: 'tcp' },
      'connect to example.com:443',
      ['host: example.com', 'as written: EXAMPLE.com.', 'port: 443 (tcp)'],
    ],
    [
      { kind: 'connect', host: '::1', port: 53, protocol: 'udp' },
      'connect to [::1]:53 over UDP',
      ['host: [::1]', 'port: 53 (udp)'],
    ],
    [
      { kind: 'http', method: 'POST', scheme: 'https', host: 'api.example.com', port: 443, path: '/v1' },
      'POST https://api.example.com:443/v1',
      ['method: POST', 'scheme: https', 'host: api.example.com', 'port: 443', 'path: /v1'],
    ],
    [
      { kind: 'dns', name: 'example.com', recordType: 'TXT' },
      'look up example.com (TXT)',
      ['host: example.com', 'record type: TXT'],
    ],
    [
      { kind: 'socket', operation: 'connect', address: '/run/docker.sock' },
      'connect to the socket /run/docker.sock',
      ['operation: connect to', 'socket: /run/docker.sock'],
    ],
    [
      { kind: 'signal', signal: 'SIGKILL', target: 'box' },
      'send SIGKILL to another process of the box',
      ['signal: SIGKILL', 'to: another process of the box'],
    ],
    [
      { kind: 'env', name: 'GITHUB_TOKEN', looks: 'secret' },
      'pass the variable GITHUB_TOKEN into the box',
      ['variable: GITHUB_TOKEN', 'value: looks like a secret'],
    ],
    [
      { kind: 'tool', server: 'github', tool: 'create', arguments: '{"title":"x"}' },
      'call the tool create of github',
      ['server: github', 'tool: create', 'arguments: 1 line', '  | {"title":"x"}'],
    ],
    [
      { kind: 'trust', path: '/home/dev/app/.mcp.json', sha256: 'a'.repeat(64) },
      'let /home/dev/app/.mcp.json take effect',
      ['file: /home/dev/app/.mcp.json', `SHA-256: ${'a'.repeat(64)}`],
    ],
    [
      { kind: 'registry', operation: 'write', key: String.raw`HKCU\Software` },
      String.raw`write the registry key "HKCU\\Software"`,
      ['operation: write', String.raw`key: "HKCU\\Software"`],
    ],
  ])('%j', (request, title, lines) => {
    expect(show(request)).toEqual({ kind: 'shown', title, lines });
  });

  test('details come last, apart from the request', () => {
    expect(shown(command('ls'), ['command = "node evil.js"', 'two\nlines']).lines).toEqual([
      'program: /usr/bin/ls',
      'detail: command = "node evil.js"',
      'detail: 2 lines',
      '  | two',
      '  | lines',
    ]);
  });
});

describe('no content looks like a line of Holdfast', () => {
  test.each([
    [
      'a script that writes a label',
      'x\nprogram: /bin/true',
      ['argument 1: 2 lines', '  | x', '  | program: /bin/true'],
    ],
    ['one that writes the mark of a script', 'x\n  | y', ['argument 1: 2 lines', '  | x', '  |   | y']],
    [
      'blanks that push the end off the screen',
      `ls${' '.repeat(5000)}; rm -rf ~`,
      ['argument 1: "ls⟦U+0020×5000⟧; rm -rf ~"'],
    ],
    [
      'lines that do',
      `ls${'\n'.repeat(5001)}rm -rf ~`,
      ['argument 1: 5002 lines', '  | ls', '  | ⟦U+000A×5000⟧', '  | rm -rf ~'],
    ],
    [
      'a forged mark',
      'a⟦U+0020×3⟧b',
      ['argument 1: "a⟦U+27E6⟧U+0020×3⟧b"', String.raw`  = a\u{27e6}U+0020\u{d7}3\u{27e7}b`],
    ],
    ['tabs', 'a\tb', ['argument 1: "a⟦U+0009⟧b"']],
    ['quotes', 'a" argument 2: "b', [String.raw`argument 1: "a\" argument 2: \"b"`]],
    ['nothing at all', '', ['argument 1: ""']],
    ['a blank at the end', 'rm ', ['argument 1: "rm⟦U+0020⟧"']],
    ['Hebrew letters', 'א/ב', ['argument 1: "א/ב"', String.raw`  = \u{5d0}/\u{5d1}`]],
    [
      'a backslash beside them',
      String.raw`א\u{5d1}`,
      [String.raw`argument 1: "א\\u{5d1}"`, String.raw`  = \u{5d0}\\u{5d1}`],
    ],
  ])('%s', (...[, text, lines]) => {
    expect(shown(command('sh', text)).lines).toEqual(['program: /usr/bin/sh', ...lines]);
  });

  test('a long word breaks where we break it', () => {
    const { lines } = shown(command('sh', `${'x'.repeat(60)}program: /bin/true${'y'.repeat(100)}`));
    expect(lines.slice(1).map((line) => line.slice(0, 4))).toEqual(['argu', '  … ', '  … ']);
  });

  test('letters that are two columns wide are counted as such', () => {
    const { lines } = shown(command('sh', '漢'.repeat(100)));
    const asShown = lines.filter((line) => line.includes('漢'));
    expect(asShown.join('').replaceAll(/[^漢]/gu, '')).toHaveLength(100);
    for (const line of asShown)
      expect(line.length + line.replaceAll(/[^漢]/gu, '').length).toBeLessThanOrEqual(columns);
  });

  test('letters that run the other way are spelled out in a title', () => {
    expect(shown({ kind: 'file', operation: 'write', path: '/home/dev/א/b' }).title).toBe(
      String.raw`write "/home/dev/\u{5d0}/b"`,
    );
  });

  test.each([
    ['аррӏе.com', 'xn--80ak6aa92e.com', 'as written: "аррӏе.com"'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com', 'it looks like: "аррӏе.com"'],
  ])('the host %s is shown as it is connected to, and how it looks', (host, ascii, line) => {
    const { title, lines } = shown({ kind: 'connect', host, port: 443, protocol: 'tcp' });
    expect(title).toBe(`connect to ${ascii}:443`);
    expect(lines).toEqual([
      `host: ${ascii}`,
      line,
      String.raw`  = \u{430}\u{440}\u{440}\u{4cf}\u{435}.com`,
      'port: 443 (tcp)',
    ]);
  });

  test('the address of a mapped host is the address', () => {
    expect(shown({ kind: 'connect', host: '0x7f.1', port: 80, protocol: 'tcp' }).lines).toEqual([
      'host: 127.0.0.1',
      'as written: 0x7f.1',
      'port: 80 (tcp)',
    ]);
  });
});

describe('requests that are not shown', () => {
  test.each([
    ['a path', { kind: 'file', operation: 'write', path: '/home/dev/a\u200bb' }],
    ['a host', { kind: 'connect', host: 'exam\u00adple.com', port: 443, protocol: 'tcp' }],
    ['a tool', { kind: 'tool', server: 'a', tool: 'b', arguments: '{"x":"\u{e0041}"}' }],
    ['a word with a return', command('sh', 'echo safe\rrm -rf ~')],
    ['an escape sequence', command('sh', '\u001b]0;title\u0007')],
    ['a lone surrogate', command('sh', 'a\ud800')],
    ['a path of two lines', { kind: 'trust', path: '/a\nb', sha256: '' }],
  ] satisfies readonly (readonly [string, PolicyRequest])[])(
    '%s with characters that do not show',
    (...[, request]) => {
      expect(show(request)).toEqual({
        kind: 'hidden',
        message: expect.stringMatching(/^nobody was asked, because it has hidden characters/u),
      });
    },
  );

  test('a message of the rule with such', () => {
    expect(
      presentSubject({ ...subject(command('ls')), verdict: { ...subject().verdict, message: 'the path a\u200bb' } }),
    ).toMatchObject({ kind: 'hidden' });
  });

  test.each([writing('/home/dev/app/a\ufffd'), command('rm', 'a\ufffd'), command('rm', 'a\udcff')])(
    'bytes that are not text: %j stands for others too',
    (request) => {
      expect(show(request)).toMatchObject({ kind: 'hidden' });
    },
  );

  test('a detail with such', () => {
    expect(show(command('ls'), ['credential \u202egithub'])).toMatchObject({ kind: 'hidden' });
  });

  test.each([
    ['one long word', ['x'.repeat(1_000_000)]],
    ['many words', Array.from({ length: mostLines }, () => 'x')],
    ['many lines', [Array.from({ length: mostLines }, (_, index) => String(index)).join('\n')]],
    ['short words that are spelled out', [Array.from({ length: 600 }, (_, index) => `ä${index}`).join('\n')]],
  ])('too many lines: %s', (...[, words]) => {
    expect(show(command('sh', ...words))).toEqual({
      kind: 'hidden',
      message: expect.stringContaining('too long to show in full (1000 lines)'),
    });
  });

  test('a request that just fits is shown whole', () => {
    expect(shown(command('sh', ...Array.from({ length: mostLines - 1 }, () => 'x'))).lines).toHaveLength(mostLines);
  });
});

/** Pieces of deceptive texts. */
const pieces = fc.constantFrom(
  'a',
  'b',
  ' ',
  '  ',
  '\n',
  '\t',
  '"',
  '\\',
  '⟦U+',
  '⟧',
  'program: ',
  '  | ',
  '  … ',
  '  = ',
  'ä',
  'א',
  '漢',
  'x'.repeat(80),
  'argument 2: ',
  '\u001b',
  '\u200b',
  '\\u{e4}',
  '-',
);
const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
const argv = fc.array(text, { maxLength: 4 });

describe('laws', () => {
  test('lines hold nothing hidden, are narrow, and begin with a label or a mark of ours', () => {
    fc.assert(
      fc.property(argv, fc.array(text, { maxLength: 2 }), (words, details) => {
        const presentation = show(command('sh', ...words), details);
        if (presentation.kind === 'hidden') return;
        for (const line of [presentation.title, ...presentation.lines])
          expect(findHidden(line, 'name')).toBeUndefined();
        for (const line of presentation.lines) {
          expect(line).toMatch(/^(?:(?:program|it is called|argument \d+|detail): | {2}[|…=] )/u);
          expect(Array.from(line).length).toBeLessThanOrEqual(columns);
        }
        expect(presentation.lines.filter((line) => line.startsWith('argument '))).toHaveLength(words.length);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('two commands are never shown alike', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(argv, (words) => {
        const presentation = show(command('sh', ...words));
        if (presentation.kind === 'hidden') return;
        const key = presentation.lines.join('\n');
        const before = seen.get(key);
        seen.set(key, JSON.stringify(words));
        if (before !== undefined) expect(JSON.stringify(words)).toBe(before);
      }),
      { numRuns: rounds(5000) },
    );
  });

  test('nor two paths', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        const presentation = show({ kind: 'file', operation: 'read', path: `/${path}` });
        if (presentation.kind === 'hidden') return;
        const key = presentation.lines.join('\n');
        expect(seen.get(key) ?? path).toBe(path);
        seen.set(key, path);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

const tags = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('');
const exec = (...argv: readonly string[]): PolicyRequest => ({
  kind: 'exec',
  program: '/usr/bin/git',
  argv,
  context: 'direct',
});
const file = (path: string): PolicyRequest => ({ kind: 'file', operation: 'write', path });
const connect = (host: string): PolicyRequest => ({ kind: 'connect', host, port: 443, protocol: 'tcp' });
const verdict = { message: 'asks' };

describe('an invisible request causes no question', () => {
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

test('the refusal describes the hidden characters in visible letters', () => {
  const hidden = hiddenInRequest({ request: exec('git', tags('drop')), verdict }) ?? '';
  expect(unaskable(hidden)).toMatch(/^nobody was asked.*says "drop"/u);
  expect(unaskable(hidden)).toMatch(/^[\x20-\x7e×]*$/u);
});
