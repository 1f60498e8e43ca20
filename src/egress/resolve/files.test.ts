import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { parseHosts } from './resolver.ts';
import { parseResolvConf } from './ask-udp.ts';
import { systemFiles } from './testing/files.ts';
import { watchFile } from './look-up.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const here = [{ address: '127.0.0.1', port: 53 }];

describe('hosts', () => {
  test('give addresses in the order of the file, each once', () => {
    const hosts = parseHosts(
      '127.0.0.1 localhost\n::1\tlocalhost ip6-localhost\n\n# 1.1.1.1 commented\n  10.0.0.5   db DB.example. # the database\n10.0.0.6 db\n10.0.0.5 db\n',
    );
    expect(Object.fromEntries(hosts)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      'ip6-localhost': ['::1'],
      db: ['10.0.0.5', '10.0.0.6'],
      'db.example': ['10.0.0.5'],
    });
  });

  test('have canonical names and addresses', () => {
    const hosts = parseHosts('2001:DB8:0:0::1 BÜCHER.de\r\n::ffff:10.0.0.1 mapped\r\nfe80::1%eth0 scoped');
    expect(Object.fromEntries(hosts)).toEqual({
      'xn--bcher-kva.de': ['2001:db8::1'],
      mapped: ['10.0.0.1'],
      scoped: ['fe80::1'],
    });
  });

  test.each([
    '',
    '#',
    'localhost 127.0.0.1',
    '127.1 short',
    '256.1.1.1 x',
    '10.0.0.1',
    '10.0.0.1 ',
    '10.0.0.1 a..b 1.2.3.4 x/y',
    'garbage',
    '\0\0\0',
    '10.0.0.1 __proto__.x/',
  ])('%j is skipped', (text) => {
    expect(parseHosts(text).size).toBe(0);
  });

  test('may have any bytes, and 20,000 lines', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void parseHosts(text)),
      { numRuns: rounds(300) },
    );
    const lines = Array.from({ length: 20_000 }, (_, index) => `0.0.0.0 ad${index}.example`).join('\n');
    expect(atMost(4000, () => parseHosts(lines)).get('ad19999.example')).toEqual(['0.0.0.0']);
  });
});

describe('resolv.conf', () => {
  test('names servers, a time-out and attempts', () => {
    const text =
      '# made by hand\nnameserver 192.0.2.1\nnameserver\t2001:db8::1 # second\n nameserver fe80::1%eth0\nsearch evil.test\noptions ndots:5 timeout:1 attempts:4\n';
    expect(parseResolvConf(text)).toEqual({
      servers: ['192.0.2.1', '2001:db8::1', 'fe80::1%eth0'].map((address) => ({ address, port: 53 })),
      timeout: 1000,
      attempts: 4,
    });
  });

  test('falls back to the machine itself without a server', () => {
    expect(parseResolvConf('')).toEqual({ servers: here, timeout: 5000, attempts: 2 });
    expect(
      parseResolvConf('nameserver\nnameserver example.com\nnameserver 256.1.1.1\nnameserver 1.2.3.4x\nsearch a b')
        .servers,
    ).toEqual(here);
  });

  test('has limits', () => {
    const text = `${'nameserver 192.0.2.1\n'.repeat(5)}options timeout:999999 attempts:100\noptions timeout:0`;
    expect(parseResolvConf(text)).toMatchObject({ servers: { length: 3 }, timeout: 1000, attempts: 5 });
    expect(parseResolvConf('options timeout:99 attempts:0 timeout:x attempts:-1')).toMatchObject({
      timeout: 30_000,
      attempts: 1,
    });
  });

  test('may have any characters', () => {
    const word = fc.constantFrom(
      'nameserver',
      'options',
      'timeout:',
      'attempts:',
      '1',
      '9',
      '\n',
      ' ',
      '#',
      '192.0.2.1',
      '::1',
      '%x',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(word).map((words) => words.join('')),
        ),
        (text) => {
          const { servers, timeout, attempts } = parseResolvConf(text);
          expect(servers.length * attempts).toBeGreaterThan(0);
          expect(timeout).toBeGreaterThanOrEqual(1000);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

describe('a watched file', () => {
  test('is read once, and again after a write, a replacement, a removal or a new file', () => {
    using files = systemFiles({ hosts: 'one' });
    let reads = 0;
    const read = watchFile({ path: files.hostsFile, parse: (text) => ({ text, number: (reads += 1) }) });
    const first = read();
    expect(first.text).toBe('one');
    expect(read()).toBe(first);
    expect(reads).toBe(2);
    files.write('hosts', 'three');
    expect(read().text).toBe('three');
    files.replace('hosts', 'seven');
    expect(read().text).toBe('seven');
    files.remove('hosts');
    expect(read().text).toBe('');
    files.write('hosts', 'again');
    expect(read().text).toBe('again');
    expect(reads).toBe(6);
  });

  test('is read again after a change of its times alone', () => {
    using files = systemFiles({ hosts: 'one' });
    const read = watchFile({ path: files.hostsFile, parse: (text) => ({ text }) });
    const first = read();
    utimesSync(files.hostsFile, 1, 1);
    expect(read()).not.toBe(first);
  });

  test('is empty if it is a FIFO or a directory, without a delay', () => {
    using files = systemFiles();
    files.remove('hosts');
    execFileSync('mkfifo', [files.hostsFile]);
    const read = watchFile({ path: files.hostsFile, parse: (text) => text });
    expect(read()).toBe('');
    rmSync(files.hostsFile);
    mkdirSync(files.hostsFile);
    expect(read()).toBe('');
  });
});
