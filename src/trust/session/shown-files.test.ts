import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TrustEntry } from '../types.ts';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { shownFiles } from './shown-files.ts';

const names = [['.mcp.json'], ['.claude'], ['claude.md'], ['agents.md']];

interface Scene {
  readonly root: string;
  readonly put: (path: string, content: string) => void;
  readonly show: (...entries: readonly TrustEntry[]) => {
    readonly approved: readonly string[];
    readonly mounts: readonly string[];
    readonly stale: readonly string[];
  };
}

function scene(files: Readonly<Record<string, string>>): Scene {
  const root = realpathSync(scratchDirectory());
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const show: Scene['show'] = (...entries) => {
    const shown = shownFiles(entries, { root, names });
    const relative = (path: string): string => path.slice(root.length + 1);
    return {
      approved: shown.approved.map(relative),
      stale: shown.stale,
      mounts: shown.mounts.map(
        (mount) =>
          `${mount.kind} ${relative(mount.target)}${mount.kind === 'file' ? `: ${Buffer.from(mount.content, 'base64').toString()} ${mount.mode.toString(8)}` : ''}`,
      ),
    };
  };
  return { root, put, show };
}

function entry(path: string, content: string, scripts: TrustEntry['scripts'] = []): TrustEntry {
  return {
    path,
    sha256: hashOf(content),
    surface: 'x',
    level: 'always',
    approvedAt: '2026-01-01T00:00:00.000Z',
    fields: [],
    scripts,
  };
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

describe('an approved file', () => {
  test('is shown as a copy of its approved bytes', () => {
    const { show } = scene({ '.mcp.json': '{}', 'sub/CLAUDE.md': 'text' });
    expect(show(entry('.mcp.json', '{}'), entry('sub/CLAUDE.md', 'text'))).toEqual({
      approved: ['.mcp.json', 'sub/CLAUDE.md'],
      mounts: ['file .mcp.json: {} 444', 'file sub/CLAUDE.md: text 444'],
      stale: [],
    });
  });

  test('in a directory is shown without the rest of the directory', () => {
    const { show } = scene({ '.claude/a.md': 'a', '.claude/b.md': 'b', '.claude/c/d.md': 'd' });
    expect(show(entry('.claude/a.md', 'a'), entry('.claude/c/d.md', 'd'))).toEqual({
      approved: ['.claude', '.claude/a.md', '.claude/c/d.md'],
      mounts: ['tmpfs .claude', 'file .claude/a.md: a 444', 'file .claude/c/d.md: d 444'],
      stale: [],
    });
  });

  test('keeps its execute permission', () => {
    const { show, root } = scene({ '.claude/hook.sh': '#!/bin/sh' });
    chmodSync(join(root, '.claude/hook.sh'), 0o700);
    expect(show(entry('.claude/hook.sh', '#!/bin/sh')).mounts).toContain('file .claude/hook.sh: #!/bin/sh 544');
  });

  test('approved at two levels is shown once', () => {
    const { show } = scene({ '.mcp.json': '{}' });
    expect(show({ ...entry('.mcp.json', '{}'), level: 'session' }, entry('.mcp.json', '{}')).mounts).toHaveLength(1);
  });

  test('brings the scripts that it names, with their approved bytes', () => {
    const { show } = scene({ '.mcp.json': '{"a":1}', 'tools/server.js': 'code' });
    expect(show(entry('.mcp.json', '{"a":1}', [{ path: 'tools/server.js', sha256: hashOf('code') }])).mounts).toEqual([
      'file .mcp.json: {"a":1} 444',
      'file tools/server.js: code 444',
    ]);
  });

  test('leaves named files writable if no interpreter runs them, unless they are executable', () => {
    const { show, root } = scene({ 'CLAUDE.md': 'See @README.md', 'README.md': 'r', 'package.json': '{}', run: 'x' });
    chmodSync(join(root, 'run'), 0o700);
    const scripts = [
      ['README.md', 'r'],
      ['package.json', '{}'],
      ['run', 'x'],
    ].map(([path = '', content = '']) => ({ path, sha256: hashOf(content) }));
    expect(show(entry('CLAUDE.md', 'See @README.md', scripts)).mounts).toEqual([
      'file CLAUDE.md: See @README.md 444',
      'file run: x 544',
    ]);
    expect(
      show(entry('CLAUDE.md', 'See @README.md', [{ path: 'README.md', sha256: hashOf('another') }])).mounts,
    ).toEqual([]);
  });

  test('in a linked directory is shown at the link’s target, once that directory exists', () => {
    const { show, root } = scene({ 'docs/settings.json': '{}', 'docs/x': '' });
    symlinkSync('docs', join(root, '.claude'));
    symlinkSync('.claude/settings.json', join(root, 'AGENTS.md'));
    expect(show(entry('AGENTS.md', '{}'), entry('.claude/settings.json', '{}'))).toMatchObject({
      approved: expect.arrayContaining(['.claude', 'docs', '.claude/settings.json', 'docs/settings.json']),
      mounts: ['tmpfs docs', 'file docs/settings.json: {} 444'],
    });
  });

  test('behind a link is shown at the link’s target', () => {
    const { show, root } = scene({ 'docs/guide.md': 'text' });
    symlinkSync('docs/guide.md', join(root, 'CLAUDE.md'));
    expect(show(entry('CLAUDE.md', 'text'))).toEqual({
      approved: ['CLAUDE.md', 'docs/guide.md'],
      mounts: ['file docs/guide.md: text 444'],
      stale: [],
    });
  });
});

describe('nothing is shown', () => {
  const nothing = { approved: [], mounts: [], stale: [] };

  test('if its bytes have changed', () => {
    const { show } = scene({ '.mcp.json': '{"evil":1}' });
    expect(show(entry('.mcp.json', '{}'))).toEqual({ ...nothing, stale: ['.mcp.json'] });
  });

  test('if it is gone, a directory, or a FIFO', () => {
    const { show } = scene({ '.mcp.json/x': '' });
    expect(show(entry('.mcp.json', ''), entry('CLAUDE.md', 'x'))).toEqual(nothing);
  });

  test.each([
    ['changed', 'evil'],
    ['gone', undefined],
  ] as const)('if it names a script that is %s', (_what, content) => {
    const { show, put, root } = scene({ '.mcp.json': '{}', 'server.js': 'code' });
    if (content === undefined) rmSync(join(root, 'server.js'));
    else put('server.js', content);
    expect(show(entry('.mcp.json', '{}', [{ path: 'server.js', sha256: hashOf('code') }]))).toEqual({
      ...nothing,
      stale: ['.mcp.json'],
    });
  });

  test('if it names a script that was absent and now exists', () => {
    const { show } = scene({ '.mcp.json': '{}', 'server.js': 'planted' });
    expect(show(entry('.mcp.json', '{}', [{ path: 'server.js' }]))).toEqual({ ...nothing, stale: ['.mcp.json'] });
  });

  test('if it is a link that leads out of the workspace', () => {
    const { show, root } = scene({ x: '' });
    writeFileSync(join(root, '..', `outside-${root.split('/').at(-1) ?? ''}`), 'secret');
    symlinkSync(`../outside-${root.split('/').at(-1) ?? ''}`, join(root, 'CLAUDE.md'));
    expect(show(entry('CLAUDE.md', 'secret'))).toEqual(nothing);
  });

  test('in place of the workspace, if a directory is a link to it', () => {
    const { show, root } = scene({ 'settings.json': '{}' });
    symlinkSync('.', join(root, '.claude'));
    expect(show(entry('.claude/settings.json', '{}'))).toEqual(nothing);
  });

  test('if the box has it anyway', () => {
    const { show } = scene({ 'package.json': '{}' });
    expect(show(entry('package.json', '{}'))).toEqual(nothing);
  });
});
