import { describe, expect, test } from 'vitest';
import { pathsOfCommand } from './named-paths.ts';

const places = { cwd: '/home/me/app/src', home: '/home/me', workspace: '/home/me/app' };
const everything = { ...places, exists: () => true };

function pathsOf(argv: readonly string[], exists: (path: string) => boolean = () => true): readonly unknown[] {
  return pathsOfCommand(argv, { ...places, exists }).map((request) =>
    request.kind === 'file' && request.operation === 'read' ? request.path : request,
  );
}

describe('the paths of a command line', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['an absolute path', ['cat', '/home/me/.ssh/id_rsa'], ['/home/me/.ssh/id_rsa']],
    ['a path below the working directory', ['cat', '.env'], ['/home/me/app/src/.env']],
    ['a path that climbs', ['cat', '../.env'], ['/home/me/app/.env']],
    ['the value of an option', ['tool', '--key=/srv/key', '--file=.env'], ['/srv/key', '/home/me/app/src/.env']],
    [
      'the words of a script',
      ['sh', '-c', 'cat ~/.ssh/id_rsa </srv/data; ls "/srv/x"|wc'],
      [
        '/home/me/app/src/cat',
        '/home/me/.ssh/id_rsa',
        '/srv/data',
        '/home/me/app/src/ls',
        '/srv/x',
        '/home/me/app/src/wc',
      ],
    ],
    ['a path twice', ['cat', '/srv/key', '/srv/key', '/srv//key'], ['/srv/key']],
    ['no options', ['ls', '-l', '--', '--all'], []],
    ['not the program itself', ['/srv/tool'], []],
    ['not even an empty word', ['cat', ''], []],
    ['not a word with NUL in it, which no program can get', ['cat', '/srv/a\0b'], []],
  ])('%s', (_, argv, paths) => {
    expect(pathsOf(argv)).toEqual(paths);
  });

  test('include only those that exist on the host', () => {
    expect(pathsOf(['cat', '/srv/there', '/srv/not'], (path) => path === '/srv/there')).toEqual(['/srv/there']);
  });

  test.each(['/', '/home', '/home/', '/home/me', '/home/me/app', '.', '..'])(
    'not the way to the workspace: %s',
    (path) => {
      expect(pathsOf(['find', path])).toEqual([]);
    },
  );

  test('a neighbour of the home is not the way to it', () => {
    expect(pathsOf(['ls', '/home/m'])).toEqual(['/home/m']);
  });

  test('a command line as long as the kernel takes is looked at for a moment only', () => {
    let asked = 0;
    const words = Array.from({ length: 100_000 }, (_, index) => `/srv/${index}`);
    pathsOfCommand(['cat', ...words, words.join(' ')], { ...everything, exists: () => ((asked += 1), false) });
    expect(asked).toBe(200);
  });
});
