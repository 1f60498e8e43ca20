import { describe, expect, test } from 'vitest';
import { analysed, effects, reasons } from './testing/analysed.ts';

describe('redirects', () => {
  test.each([
    ['true > a', ['write /srv/project/a']],
    ['true >> a', ['write /srv/project/a']],
    ['true >| a', ['write /srv/project/a']],
    ['true &> a', ['write /srv/project/a']],
    ['true >& a', ['write /srv/project/a']],
    ['true 2> a', ['write /srv/project/a']],
    ['true < a', ['read /srv/project/a']],
    ['true <> a', ['read /srv/project/a', 'write /srv/project/a']],
    ['true > /etc/passwd', ['write /etc/passwd']],
    ['true > ~/.bashrc', ['write /home/dev/.bashrc']],
    ['true > a > b', ['write /srv/project/a', 'write /srv/project/b']],
    ['> a', ['write /srv/project/a']],
    ['true 2>&1', []],
    ['true >&-', []],
    ['true > /dev/null 2>&1', []],
    ['true < /dev/null', []],
    ['true < <(true)', []],
    ['true > /dev/stderr', []],
    ['true > /dev/fd/2', []],
    ['true > /dev/tty', []],
    ['true > /dev/sda', ['write /dev/sda']],
    ['true > /dev/null/../sda', ['write /dev/sda']],
    ['true > /dev/tcp/example.com/80', ['host example.com:80']],
    ['true < /dev/udp/example.com/53', ['host example.com:53']],
    ['exec 3<> /dev/tcp/example.com/80', ['host example.com:80']],
    ['true > /dev/tcp/example.com/http', ['host example.com']],
    ['true > /dev/tcp/example.com/123456', ['host example.com']],
    ['true > /dev/tcp/example.com/x80', ['host example.com']],
    ['true > /dev/tcp/example.com/80x', ['host example.com']],
    ['true > /dev/tcp//80', ['host :80']],
    ['true > /dev/nullx', ['write /dev/nullx']],
    ['true > a/dev/null', ['write /srv/project/a/dev/null']],
    ['./x > a', ['write /srv/project/a', 'run /srv/project/x']],
    ['f() { true; }; f > a', ['write /srv/project/a']],
    ['(true) > a', ['write /srv/project/a']],
    ['{ true; } > a', ['write /srv/project/a']],
    ['while read x; do true; done < a', ['read /srv/project/a']],
    ['true > a/../../b', ['write /srv/b']],
  ])('%s: %j', (text, expected) => {
    expect(effects(analysed(text))).toEqual(expected);
  });

  test.each([
    'true > $X',
    'true > "$(mktemp)"',
    'true < ${X:-a}',
    'cd $X; true > a',
    'true > ~other/a',
    'true > {a,b}',
    'true > /dev/tcp/$HOST/80',
  ])('%s is not known', (text) => {
    expect(reasons(analysed(text))).toContain('dynamic-word');
  });

  test('a redirect of a program that is not known counts all the same', () => {
    expect(effects(analysed('$X > a'))).toEqual(['write /srv/project/a']);
  });
});
