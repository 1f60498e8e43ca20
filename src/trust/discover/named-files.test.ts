import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { namedFiles } from './named-files.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const naming = { path: 'pkg/.claude/settings.json', components: ['.claude', 'settings.json'], root: '/home/dev/app' };
const candidates = (...commands: readonly string[]): readonly string[] =>
  namedFiles(commands, naming).flatMap((named) => named.candidates);
const expected = (...commands: readonly string[]): readonly (string | undefined)[] =>
  namedFiles(commands, naming).map((named) => named.expected);

describe('namedFiles', () => {
  test.each([
    ['node ./tools/server.js', 'pkg/tools/server.js'],
    ['bash scripts/hook.sh --flag', 'pkg/scripts/hook.sh'],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh', 'pkg/.claude/hooks/x.sh'],
    ['$CLAUDE_PROJECT_DIR/.claude/hooks/x.sh', '.claude/hooks/x.sh'],
    ['"${CLAUDE_PROJECT_DIR}/x.sh"', 'pkg/x.sh'],
    ['${workspaceFolder}/bin/run.py', 'bin/run.py'],
    ['$PROJECT_DIR$/evil', 'pkg/evil'],
    ['{{config_root}}/x.sh', 'pkg/x.sh'],
    ['$(git rev-parse --show-toplevel)/scripts/x.sh', 'scripts/x.sh'],
    ['sh evil', 'pkg/evil'],
    ['cd tools && ./run', 'pkg/run'],
    ['python -m my.tool', 'pkg/my/tool.py'],
    ['python3 -m tool', 'tool/__main__.py'],
    ['npx ./local', 'pkg/local/index.js'],
    ['node dist/server', 'pkg/dist/server.js'],
    ['node --require=./hook.js app.js', 'pkg/hook.js'],
    ['/home/dev/app/x.sh', 'x.sh'],
    ["bash -c 'source ./env.sh; run'", 'pkg/env.sh'],
    ['../up.sh', 'up.sh'],
    ['./hooks/pre.ts', 'pkg/.claude/hooks/pre.ts'],
    ['node server', 'pkg/server.js'],
    ['node --inspect --enable-source-maps server', 'pkg/server.js'],
    ['cd tools && node server.js', 'pkg/tools/server.js'],
    ['npm --prefix=tools exec ./x.js', 'tools/x.js'],
    ['make -C "$CLAUDE_PROJECT_DIR/build" && sh run.sh', 'pkg/build/run.sh'],
    ['sh "./with blank.sh"', 'pkg/with blank.sh'],
    ['env A=1 ./x', 'pkg/x'],
    ['node --import ./x.js', 'pkg/x.js'],
  ])('%s may be %s', (command, path) => {
    expect(candidates(command)).toContain(path);
  });

  test('a command in parts is one command', () => {
    expect(candidates('python', '-m', 'tool')).toContain('tool.py');
    expect(candidates('sh', 'evil')).toContain('evil');
  });

  test('a path with blanks may be one argument', () => {
    expect(candidates('node', 'my server.js')).toContain('pkg/my server.js');
  });

  test('the directory in which a file starts its commands counts', () => {
    const named = namedFiles(['node', 'server.js'], {
      ...naming,
      directories: ['${workspaceFolder}/tools', '/home/dev/app/abs', '/elsewhere', '../..'],
    });
    expect(named[0]?.candidates).toEqual(
      expect.arrayContaining(['pkg/tools/server.js', 'tools/server.js', 'abs/server.js']),
    );
    expect(named[0]?.candidates.some((path) => path.includes('elsewhere') || path.includes('..'))).toBe(false);
  });

  test.each(['. ./.env', 'node --env-file=.env.local', 'source sub/.env'])(
    'files of secrets are neither hashed nor kept: %s',
    (command) => {
      expect(candidates(command).filter((path) => path.includes('.env'))).toEqual([]);
    },
  );

  test.each([
    'node',
    'npm run build',
    'tsc',
    'echo hello',
    '/usr/bin/env',
    'curl https://x/y.sh',
    '~/x.sh',
    '--flag',
    '/etc/passwd',
    '',
  ])('%j names no file of the repository', (command) => {
    expect(candidates(command)).toEqual([]);
  });

  test('a missing file is reported only if a word must be a file', () => {
    expect(expected('./x')).toEqual(['pkg/x']);
    expect(expected('tools/x.sh')).toEqual(['pkg/tools/x.sh']);
    expect(expected('@types/node', 'a/b', '1.2.3')).toEqual([undefined, undefined, undefined]);
  });

  test('no words lead out of the root', () => {
    const word = fc
      .array(
        fc.constantFrom('..', '.', '/', 'a', '$X/', '~', ' ', '"', '\\', '-m ', 'sh ', '.js', '\0', '{{x}}/', '%A%\\'),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (commands) => {
        for (const path of candidates(...commands)) {
          expect(path.startsWith('/')).toBe(false);
          expect(path.split('/')).not.toContain('..');
          expect(path).not.toBe(naming.path);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  test.each(['$(', '${', '"$a"', '{{', '%a', 'a/', '../', '$a$', ' ', 'a b '])(
    'long commands of %j take linear time',
    async (part) => {
      expect(await growth((size) => candidates(part.repeat(size / part.length)), 1 << 18)).toBeLessThan(linear);
    },
  );
});
