import type { Opacity } from '../types.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectsOf, type ToolEffects } from './effects-of.ts';
import { wordAsTyped } from './words.ts';
import { words } from './testing/words.ts';
import { allTools } from './tool-for.ts';
import type { OptionSpec, Role, StandingEffect, ToolSpec } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const context = { cwd: '/srv/project', home: '/home/dev', span: { start: 7, end: 9 } };
const roleOption = (role: Role): OptionSpec => ({ names: ['-o'], value: 'required', role });
const toolWith = (parts: Partial<ToolSpec>): ToolSpec => ({
  names: ['tool', 'alias'],
  grammar: 'getopt',
  options: [],
  operands: { kind: 'each', role: 'text' },
  ...parts,
});
const read = (spec: ToolSpec, line: string): ToolEffects => effectsOf(spec, words(line), context);

describe('roles', () => {
  test.each<readonly [Role, string, Partial<ToolEffects['effects']>]>([
    ['text', 'a', {}],
    ['read', 'a', { reads: [{ use: 'read', scope: 'file', path: '/srv/project/a', text: 'a' }] }],
    ['read-tree', 'a', { reads: [{ use: 'read', scope: 'tree', path: '/srv/project/a', text: 'a' }] }],
    ['write', '~/a', { writes: [{ use: 'write', scope: 'file', path: '/home/dev/a', text: '~/a' }] }],
    ['write-tree', 'a', { writes: [{ use: 'write', scope: 'tree', path: '/srv/project/a', text: 'a' }] }],
    ['delete', 'a', { writes: [{ use: 'delete', scope: 'file', path: '/srv/project/a', text: 'a' }] }],
    ['delete-tree', 'a', { writes: [{ use: 'delete', scope: 'tree', path: '/srv/project/a', text: 'a' }] }],
    ['directory', 'a', {}],
    ['host', 'u@a:1', { hosts: [{ host: 'a', port: 1, text: 'u@a:1' }] }],
    ['url', 'https://a/b', { hosts: [{ host: 'a', port: 443, text: 'https://a/b' }] }],
    ['url', 'file:///a', { reads: [{ use: 'read', scope: 'tree', path: '/a', text: '/a' }] }],
    ['remote', 'a:b', { hosts: [{ host: 'a', port: undefined, text: 'a:b' }] }],
    ['remote', 'a', { reads: [{ use: 'read', scope: 'tree', path: '/srv/project/a', text: 'a' }] }],
    ['remote-write', 'a', { writes: [{ use: 'write', scope: 'tree', path: '/srv/project/a', text: 'a' }] }],
    ['remote-write', '~/a', { writes: [{ use: 'write', scope: 'tree', path: '/home/dev/a', text: '~/a' }] }],
    ['script', 'id', {}],
  ])('%s %s', (role, value, effects) => {
    const none = { reads: [], writes: [], runs: [], hosts: [], opaque: [] };
    expect(read(toolWith({ options: [roleOption(role)] }), `-o ${value}`).effects).toEqual({ ...none, ...effects });
    expect(read(toolWith({ operands: { kind: 'each', role } }), value).effects).toEqual({ ...none, ...effects });
  });

  test.each<readonly [Role, readonly [string, string], string]>([
    ['program', ['inline-code', '`-o` runs `a`'], 'program a'],
    ['code', ['inline-code', '`-o` runs code'], 'inline-code -o'],
    ['code-file', ['repository-code', '`-o` runs the file `a`'], 'repository-code a'],
  ])('%s says what runs', (role, [kind, message], runs) => {
    const { effects } = read(toolWith({ options: [roleOption(role)] }), '-o a');
    expect(effects.runs.map((each) => `${each.kind} ${each.what}`)).toEqual([runs]);
    expect(effects.opaque).toEqual([{ kind, message, span: { start: 3, end: 4 } }]);
  });

  test('refused is never harmless', () => {
    expect(read(toolWith({ options: [roleOption('refused')] }), '-o a').effects.opaque).toEqual([
      { kind: 'inline-code', message: '`-o a` is never harmless', span: { start: 3, end: 4 } },
    ]);
  });

  test.each<readonly [Role, Pick<Opacity, 'atMost'>]>([
    ['read', { atMost: 'reads' }],
    ['delete-tree', { atMost: 'destroys' }],
    ['write', {}],
    ['directory', {}],
    ['host', {}],
    ['url', {}],
    ['remote', {}],
    ['remote-write', {}],
  ])('%s with a word that is not known is asked about', (role, bound) => {
    const message = '`"$x"` of `-o` is not known before it runs';
    expect(read(toolWith({ options: [roleOption(role)] }), '-o "$x"').effects.opaque).toEqual([
      { kind: 'dynamic-word', message, span: { start: 3, end: 7 }, ...bound },
    ]);
  });

  test('a script is handed on, known or not', () => {
    expect(read(toolWith({ options: [roleOption('script')] }), '-o \'a; b\' -o "$x"').scripts.map(wordAsTyped)).toEqual(
      ['a; b', '"$x"'],
    );
  });

  test('assignments stand before a command', () => {
    const { assignments, commands, effects } = read(
      toolWith({ grammar: 'getopt-posix', operands: { kind: 'sequence', first: ['assignment', 'command'] } }),
      'A=b C= rm -rf x',
    );
    expect(assignments.map(({ name, value }) => `${name}=${wordAsTyped(value)}`)).toEqual(['A=b', 'C=']);
    expect(commands.map((command) => command.map(wordAsTyped))).toEqual([['rm', '-rf', 'x']]);
    expect(effects.opaque).toEqual([]);
  });

  test.each<readonly [string, readonly string[]]>([
    ['5 rm -rf x', ['rm', '-rf', 'x']],
    ['5 $x', ['$x']],
    ['"$t" rm', ['rm']],
  ])('a command behind other operands: %s', (line, command) => {
    expect(
      read(
        toolWith({ grammar: 'getopt-posix', operands: { kind: 'sequence', first: ['text', 'command'] } }),
        line,
      ).commands.map((each) => each.map(wordAsTyped)),
    ).toEqual([command]);
  });

  test('`-` is a standard stream, or a file of that name', () => {
    const spec = toolWith({ operands: { kind: 'each', role: 'write' } });
    expect(read(spec, '-').effects.writes).toEqual([]);
    expect(read({ ...spec, dash: 'file' }, '-').effects.writes).toEqual([
      expect.objectContaining({ path: '/srv/project/-' }),
    ]);
  });
});

describe('directories', () => {
  const spec = toolWith({
    options: [{ names: ['-C'], value: 'required', role: 'directory' }],
    operands: { kind: 'each', role: 'read' },
  });

  test.each<readonly [string, string | undefined, string]>([
    ['-C sub a', '/srv/project/sub/a', '/srv/project/sub'],
    ['a -C sub', '/srv/project/sub/a', '/srv/project/sub'],
    ['-C sub -C deeper a', '/srv/project/sub/deeper/a', '/srv/project/sub/deeper'],
    ['-C sub -C /x a', '/x/a', '/x'],
    ['-C ~ a', '/home/dev/a', '/home/dev'],
    ['-C "$x" a', undefined, 'unknown'],
    ['-C "$x" /a', '/a', 'unknown'],
  ])('%s', (line, path, directory) => {
    const found = read(spec, line);
    expect(found.effects.reads.map((each) => each.path)).toEqual([path]);
    expect(found.directory).toBe(directory);
  });

  test('a relative path in a directory that is not known is asked about', () => {
    const { effects } = effectsOf(spec, words('a'), { ...context, cwd: 'unknown' });
    expect(effects.opaque).toEqual([
      {
        kind: 'dynamic-word',
        message: '`a` is relative to a directory that is not known',
        atMost: 'reads',
        span: { start: 0, end: 1 },
      },
    ]);
  });
});

describe('subcommands', () => {
  const inner = toolWith({
    names: ['add', 'plus'],
    operands: { kind: 'each', role: 'write' },
    options: [{ names: ['-f'] }],
  });
  const outer = toolWith({
    options: [{ names: ['-C'], value: 'required', role: 'directory' }],
    subcommands: [toolWith({ names: ['remote'], subcommands: [inner] }), inner],
  });

  test('have effects relative to what stands before them', () => {
    const found = read(outer, '-C sub add -f a');
    expect(found.tool).toBe('tool add');
    expect(found.effects.writes.map(({ path }) => path)).toEqual(['/srv/project/sub/a']);
  });

  test('may have their own, and other names', () => {
    expect(read(outer, 'remote plus a').tool).toBe('tool remote add');
  });

  test.each<readonly [string, string, string]>([
    ['foo a', 'unknown-tool', '`foo` is no subcommand of `tool` that is known'],
    ['remote foo', 'unknown-tool', '`foo` is no subcommand of `tool remote` that is known'],
    ['Add a', 'unknown-tool', '`Add` is no subcommand of `tool` that is known'],
    ['"x$x" a', 'dynamic-program', '`"x$x"` is no subcommand of `tool` that is known'],
  ])('%s is asked about', (line, kind, message) => {
    expect(read(outer, line).effects.opaque).toContainEqual(expect.objectContaining({ kind, message }));
  });

  test('none is fine', () => {
    expect(read(outer, '').effects.opaque).toEqual([]);
  });
});

describe('what stands in the specification', () => {
  test.each<readonly [StandingEffect, Partial<ToolEffects['effects']>]>([
    [
      { kind: 'opaque', reason: 'inline-code', message: 'm' },
      { opaque: [{ kind: 'inline-code', message: 'm', span: context.span }] },
    ],
    [{ kind: 'runs', runs: { what: 'x', kind: 'program' } }, { runs: [{ what: 'x', kind: 'program' }] }],
    [
      { kind: 'reads', path: '~/.x', scope: 'file' },
      { reads: [{ use: 'read', scope: 'file', path: '/home/dev/.x', text: '~/.x' }] },
    ],
    [
      { kind: 'writes', path: 'x', scope: 'tree' },
      { writes: [{ use: 'write', scope: 'tree', path: '/srv/project/x', text: 'x' }] },
    ],
    [{ kind: 'host', host: 'a', port: 1 }, { hosts: [{ host: 'a', port: 1, text: 'a' }] }],
  ])('%j', (effect, expected) => {
    const none = { reads: [], writes: [], runs: [], hosts: [], opaque: [] };
    const always = {
      ...none,
      ...expected,
      opaque: (expected.opaque ?? []).map((reason) => ({ ...reason, concerns: 'tool' })),
    };
    expect(read(toolWith({ always: [effect] }), '').effects).toEqual(always);
    expect(
      read(toolWith({ subcommands: [{ ...toolWith({ always: [effect] }), names: ['sub'] }] }), 'sub').effects,
    ).toEqual(always);
    expect(read(toolWith({ options: [{ names: ['-o'], effect }] }), '-o').effects).toEqual({ ...none, ...expected });
    expect(read(toolWith({ options: [{ names: ['-o'], effect }] }), '').effects).toEqual(none);
  });

  test('a word too many is not understood', () => {
    expect(read(toolWith({ operands: { kind: 'none' } }), 'a').effects.opaque).toEqual([
      {
        kind: 'unknown-option',
        message: '`a` is one word more than `tool` is known to take',
        span: { start: 0, end: 1 },
      },
    ]);
  });

  test('a refinement adds to the tables', () => {
    const found = read(
      toolWith({
        refine: (_parsed, { path, cwd }) => ({
          reads: [path(words(cwd)[0] as never, 'read', 'tree')],
          directory: 'unknown',
          commands: [words('id')],
        }),
      }),
      '',
    );
    expect(found.effects.reads).toEqual([{ use: 'read', scope: 'tree', path: '/srv/project', text: '/srv/project' }]);
    expect(found.directory).toBe('unknown');
    expect(found.commands).toHaveLength(1);
  });
});

describe('every specification with every line', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '-',
      '--',
      '-r',
      '-rf',
      '--force',
      '-C',
      '-o',
      '-c',
      '--pre=x',
      '$x',
      '"$x"',
      '*',
      'a*',
      '~',
      '~/x',
      ';',
      '{}',
      '+',
      'a=b',
      'install',
      'add',
      'run',
      'https://a/b',
      'a:b',
      '/',
      '..',
      "''",
    ),
    fc.string({ unit: fc.constantFrom('-', 'a', 'x', '=', '/', '$', '*', '.', ':') }),
  );

  test('gives paths that are absolute or unknown, and an unknown one never without a reason', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allTools), fc.array(word, { maxLength: 8 }), (spec, parts) => {
        const { effects } = read(spec, parts.join(' '));
        for (const { path } of [...effects.reads, ...effects.writes]) {
          expect(path === undefined || path.startsWith('/')).toBe(true);
          if (path === undefined) expect(effects.opaque.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('an option that no tool has is never understood', () => {
    for (const spec of allTools.filter(({ grammar }) => grammar !== 'words'))
      expect(read(spec, '--no-tool-has-this').effects.opaque.length).toBeGreaterThan(0);
  });
});
