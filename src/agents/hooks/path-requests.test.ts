import { realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { actionOf } from './action-of.ts';
import { codexTools } from './answer-hook.ts';
import { claudeTools } from './tools/claude.ts';
import type { ToolTable } from './types.ts';

/**
 * A workspace with links: `ws/link` leads to `home/one/two`, `ws/d\u00E9` and `ws/x ` to `home/one`, `ws/new` to a
 * missing file.
 */
function scene() {
  const root = scratchDirectory();
  plant(root, { 'ws/sub/file': '', 'home/one/two/file': '', 'home/one/secret': '' });
  for (const [name, target] of [
    ['link', '../home/one/two'],
    ['d\u00E9', '../home/one'],
    ['x ', '../home/one'],
    [' y', '../home/one'],
    ['new', 'link/../fresh'],
    ['slash', 'new/'],
    ['round', 'round/x'],
  ] as const)
    symlinkSync(target, join(root, 'ws', name));
  const asked = (tools: ToolTable, tool: string, input: Record<string, unknown>): readonly string[] => {
    const action = actionOf(tools, { moment: 'before', event: 'x', tool, input, cwd: join(root, 'ws') });
    return action.kind === 'access'
      ? action.requests.map((request: PolicyRequest) =>
          request.kind === 'file' ? `${request.operation} ${request.path.replace(`${root}/`, '')}` : request.kind,
        )
      : [action.kind];
  };
  return {
    root,
    asked,
    patch: (...lines: readonly string[]) =>
      asked(codexTools, 'apply_patch', { command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') }),
  };
}

describe('a path is decided about wherever an agent may take it to', () => {
  const read = (path: string, { root, asked } = scene()): readonly string[] =>
    asked(claudeTools, 'Read', { file_path: path.replace('ROOT', root) }).map((each) =>
      each.replace(root.slice(1), 'ROOT'),
    );
  const write = (path: string): readonly string[] =>
    scene().asked(claudeTools, 'Write', { file_path: path, content: '' });

  test.each<readonly [string, readonly string[]]>([
    ['sub/file', ['read ws/sub/file']],
    ['sub/../sub/./file', ['read ws/sub/file']],
    ['link/file', ['read home/one/two/file']],
    ['link/../secret', ['read ws/secret', 'read home/one/secret']],
    ['ROOT/ws/link/../secret', ['read ws/secret', 'read home/one/secret']],
    [' ROOT/home/one/secret', ['read ws/ /ROOT/home/one/secret', 'read home/one/secret']],
    ['sub/file\n', ['read ws/sub/file\n', 'read ws/sub/file']],
    ['de\u0301/secret', ['read ws/de\u0301/secret', 'read home/one/secret']],
    ['sub//', ['read ws/sub']],
  ])('%j', (path, paths) => {
    expect(read(path)).toEqual(paths);
  });

  test('~ is the home directory, also behind a blank', () => {
    expect([read('~/x'), read(' ~/x')]).toEqual([[`read ${join(homedir(), 'x')}`], [`read ${join(homedir(), 'x')}`]]);
  });

  test('missing parts are created at link targets, each from where the previous one led', () => {
    expect([write('new'), write('slash'), write('sub/made/deep')]).toEqual([
      ['write home/one/fresh'],
      ['write home/one/fresh'],
      ['create ws/sub/made/deep'],
    ]);
    expect(() => write('round/x')).toThrow(expect.objectContaining({ code: 'HF_HOOK_INVALID' }));
  });

  test('a search too, with its patterns', () => {
    const { asked } = scene();
    expect(asked(claudeTools, 'Grep', { pattern: 'x', path: 'link/..' })).toEqual(['read ws', 'read home/one']);
    expect(asked(claudeTools, 'Glob', { path: 'link', pattern: '../*' })).toEqual([
      'read home/one/two',
      'read ws',
      'read home/one',
    ]);
  });

  test('a search above the home directory shows it too', () => {
    const { asked } = scene();
    const home = `read ${realpathSync(homedir())}`;
    expect(asked(claudeTools, 'Grep', { pattern: 'x', path: '/' })).toEqual(['read /', home]);
    expect(asked(claudeTools, 'LS', { path: '~/..' })).toContain(home);
    expect(asked(claudeTools, 'LS', { path: 'sub' })).toEqual(['read ws/sub']);
  });

  // As `glob` 12 of npm expands them, which Gemini CLI uses: each leads out of `sub`.
  const tricky = [
    '.{.,x}/secret',
    '{.,}./secret',
    '..{/secret,x}',
    '{x,}..{,y}/secret',
    '.{\\.,x}/secret',
    '.\\./secret',
    '\\../secret',
    '[.][.]/secret',
    '{sub,x}/../../secret',
    '*\n/../x',
    '{,x}/etc/hostname',
    '{A..z}/etc/hostname',
    ' {x,{,}}{,y}/etc',
    '{,x}{/etc,y}/hostname',
  ];
  test.each(['*/../../x', 'a{b,../..}/x', '**/..', '{/etc,sub}/*', '!(~/x|y)', '[ab]*/{..,c}/d', ...tricky])(
    'a pattern that may lead anywhere is refused: %s',
    (pattern) => {
      expect(() => scene().asked(claudeTools, 'Glob', { pattern })).toThrow(
        expect.objectContaining({ code: 'HF_HOOK_INVALID' }),
      );
    },
  );

  test.each([
    ['{src,test}/**/*.{ts,tsx}', ['read ws']],
    ['.{github,vscode}/*.{1..3}', ['read ws']],
    ['sub/\\[id\\]/[a-z]*', ['read ws', 'read ws/sub']],
    ['../*.md', ['read ws', 'read .']],
  ])('a pattern that leads to one place is not: %s', (pattern, paths) => {
    const { root, asked } = scene();
    expect(asked(claudeTools, 'Glob', { pattern }).map((each) => each.replace(root, '.'))).toEqual(paths);
  });

  test('two where one is taken are refused', () => {
    expect(() => scene().asked(claudeTools, 'Read', { file_path: ['sub/file', '/etc/passwd'] })).toThrow(
      expect.objectContaining({ code: 'HF_HOOK_INVALID' }),
    );
  });
});

describe('a patch is decided about as its reader reads it', () => {
  test('names are texts, not bytes', () => {
    const { patch } = scene();
    expect(patch('*** Add File: d\u00E9/new', '+x')).toEqual(['create home/one/new']);
    expect(patch('*** Delete File: d\u00E9/secret')).toEqual(['delete home/one/secret']);
    expect(patch('*** Update File: sub/file', '*** Move to: d\u00E9/moved')).toEqual([
      'delete ws/sub/file',
      'create home/one/moved',
    ]);
    expect(patch('*** Delete File: voil\u00E0')).toEqual(['delete ws/voil\u00E0']);
  });

  test('.. goes up from the text, and from where a link leads', () => {
    const { patch } = scene();
    expect(patch('*** Add File: link/../new', '+x')).toEqual(['write home/one/fresh', 'create home/one/new']);
    expect(patch('*** Delete File: link/../secret')).toEqual(['delete ws/secret', 'delete home/one/secret']);
  });

  test.each([
    ['a blank before it', ['*** Add File:  y/new', '+x']],
    ['a blank behind it', ['*** Delete File: x ']],
    ['a blank behind where it goes', ['*** Update File: sub/file', '*** Move to: x ']],
    ['a blank that one reader alone takes off', ['*** Add File: sub/file\u0085', '+x']],
    ['another one', ['*** Add File: sub/file\uFEFF', '+x']],
  ])('a name with %s is refused', (_what, lines) => {
    expect(() => scene().patch(...lines)).toThrow(expect.objectContaining({ code: 'HF_HOOK_INVALID' }));
  });

  const diff = ['--- a/sub/file', '+++ b/sub/file', '@@ -1 +1,2 @@', '-x', '+y'];
  test.each([
    [
      'in a text for a shell',
      [
        '<<EOF',
        '*** Begin Patch',
        '*** Add File: ../home/new',
        '+x',
        '*** Update File: sub/file',
        ...diff,
        ' *** End Patch',
        '+EOF',
        '',
      ],
    ],
    [
      'behind what does not show',
      [
        '\uFEFF*** Begin Patch',
        '*** Add File: ../home/new',
        '+x',
        '*** Update File: sub/file',
        ...diff,
        ' *** End Patch',
        '',
      ],
    ],
    ['of another form', [...diff, '']],
  ])('one %s is refused', (_what, lines) => {
    expect(() => scene().asked(codexTools, 'apply_patch', { command: lines.join('\n') })).toThrow(
      expect.objectContaining({ code: 'HF_HOOK_INVALID' }),
    );
  });

  test('Windows line ends and blank lines before it are not part of a name', () => {
    expect(
      scene().asked(codexTools, 'apply_patch', {
        command: '\n*** Begin Patch\r\n*** Delete File: sub/file\r\n*** End Patch\r\n',
      }),
    ).toEqual(['delete ws/sub/file']);
  });
});
