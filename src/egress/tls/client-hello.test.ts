import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { type ClientHello, longestHello, mostRecords, parseClientHello } from './client-hello.ts';
import {
  alpn,
  ascii,
  encryptedHello,
  type Extension,
  helloMessage,
  type HelloParts,
  inRecords,
  number16,
  serverName,
  vector16,
  vector8,
} from './testing/hellos.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function parsed(bytes: Uint8Array): ClientHello {
  const parse = parseClientHello(bytes);
  if (parse.kind !== 'hello') throw new Error(JSON.stringify(parse));
  return parse.hello;
}

function hello(parts?: HelloParts): Uint8Array {
  return inRecords(helloMessage(parts));
}

describe('a hello gives', () => {
  test('its host', () => {
    expect(parsed(hello()).serverName).toBe('example.com');
    expect(parsed(hello({ extensions: [serverName('EXAMPLE.com.')] })).serverName).toBe('example.com');
    expect(parsed(hello({ extensions: [serverName('xn--bcher-kva.de')] })).serverName).toBe('xn--bcher-kva.de');
    expect(parsed(hello({ extensions: [serverName('192.0.2.1')] })).serverName).toBe('192.0.2.1');
  });

  test('or no host', () => {
    expect(parsed(hello({ extensions: [] }))).not.toHaveProperty('serverName');
    expect(parsed(hello({ extensions: undefined }))).toEqual({
      alpn: [],
      encryptedHello: 'absent',
      length: expect.any(Number),
    });
  });

  test('its protocols, in order', () => {
    expect(parsed(hello({ extensions: [alpn('h2', 'http/1.1')] })).alpn).toEqual(['h2', 'http/1.1']);
    expect(parsed(hello({ extensions: [alpn('\u000a\u000a')] })).alpn).toEqual(['\n\n']);
  });

  test('the presence of an encrypted hello inside it', () => {
    expect(parsed(hello({ extensions: [serverName('cover.example'), encryptedHello] }))).toMatchObject({
      serverName: 'cover.example',
      encryptedHello: 'present',
    });
  });

  test('the same among unknown extensions', () => {
    const grease: Extension = { number: 0x0a0a, data: [] };
    expect(
      parsed(
        hello({
          extensions: [
            grease,
            { number: 0xff01, data: [0] },
            serverName('a.test'),
            { number: 21, data: Array<number>(300).fill(0) },
            alpn('h2'),
          ],
        }),
      ),
    ).toMatchObject({ serverName: 'a.test', alpn: ['h2'] });
  });

  test('its end, even if more bytes follow', () => {
    const bytes = hello();
    expect(parsed(bytes).length).toBe(bytes.length);
    const earlyData = Buffer.concat([bytes, Buffer.from([20, 3, 3, 0, 1, 1, 23, 3, 3, 0, 2, 9, 9])]);
    expect(parsed(earlyData).length).toBe(bytes.length);
  });
});

describe('a hello may come', () => {
  test('in as many pieces as it has bytes', () => {
    const bytes = hello({ extensions: [serverName('slow.example'), alpn('h2')] });
    for (let end = 0; end < bytes.length; end += 1)
      expect(parseClientHello(bytes.subarray(0, end))).toEqual({ kind: 'incomplete' });
    expect(parsed(bytes).serverName).toBe('slow.example');
  });

  test.each([
    { what: 'one byte first', lengths: [1] },
    { what: 'three bytes first', lengths: [3] },
    { what: 'the length first', lengths: [4] },
    { what: 'odd lengths', lengths: [5, 1, 1, 40] },
    { what: 'three bytes each', lengths: Array<number>(20).fill(3) },
    { what: 'one byte each', lengths: Array<number>(400).fill(1) },
  ])('in records of $what', ({ lengths }) => {
    const message = helloMessage({ extensions: [serverName('split.example'), alpn('h2', 'http/1.1')] });
    const bytes = inRecords(message, lengths);
    expect(parsed(bytes)).toEqual({
      serverName: 'split.example',
      alpn: ['h2', 'http/1.1'],
      encryptedHello: 'absent',
      length: bytes.length,
    });
    for (let end = 0; end < bytes.length; end += 1)
      expect(parseClientHello(bytes.subarray(0, end)).kind).toBe('incomplete');
  });

  test('as long as 16 KiB', () => {
    const padding =
      longestHello - helloMessage({ extensions: [serverName('big.example'), { number: 21, data: [] }] }).length;
    const largest = helloMessage({
      extensions: [serverName('big.example'), { number: 21, data: Array<number>(padding).fill(0) }],
    });
    expect(largest.length).toBe(longestHello);
    expect(parsed(inRecords(largest)).serverName).toBe('big.example');
    expect(parsed(inRecords(largest, [8000])).serverName).toBe('big.example');
    const larger = helloMessage({
      extensions: [serverName('big.example'), { number: 21, data: Array<number>(padding + 1).fill(0) }],
    });
    expect(parseClientHello(inRecords(larger, [8000]))).toEqual({ kind: 'malformed', reason: 'the hello is too long' });
  });

  // OpenSSL takes every minor version of a record, Go every version below 16.0.
  test.each([
    [3, 0],
    [3, 4],
    [3, 5],
    [3, 255],
    [4, 1],
    [0, 1],
    [15, 255],
  ])('in records of version %i.%i, which servers ignore', (major, minor) => {
    const bytes = Buffer.from(hello());
    bytes.set([major, minor], 1);
    expect(parsed(bytes).serverName).toBe('example.com');
    for (let end = 0; end < bytes.length; end += 1)
      expect(parseClientHello(bytes.subarray(0, end)).kind).toBe('incomplete');
    const split = Buffer.from(inRecords(helloMessage(), [40]));
    split.set([major, minor], 1);
    split.set([major, minor], 46);
    expect(parsed(split).serverName).toBe('example.com');
  });
});

describe('some other protocol', () => {
  test.each([
    ['HTTP', ascii('GET / HTTP/1.1\r\n')],
    ['SSH', ascii('SSH-2.0-OpenSSH')],
    ['HTTP/2 in the clear', ascii('PRI * HTTP/2.0\r\n')],
    ['SOCKS', [5, 1, 0]],
    ['Postgres wanting TLS', [0, 0, 0, 8, 4, 210, 22, 47]],
    ['SSL 2.0', [0x80, 0x2e, 1, 3, 1]],
    ['a TLS alert', [21, 3, 1, 0, 2, 2, 40]],
    ['a length of 22, little-endian', [22, 0, 0, 0, 9, 2]],
    ['a length of 22 before a zero', [22, 0, 0, 0, 0, 1]],
    ['a version that no server accepts', [22, 16, 0]],
    ['DTLS', [22, 254, 253]],
    ['NUL', [0]],
  ])('%s is recognised by its first bytes', (_, bytes) => {
    expect(parseClientHello(Uint8Array.from(bytes))).toEqual({ kind: 'not-tls' });
  });
});

describe('refused is', () => {
  const named = (data: readonly number[]): Uint8Array => hello({ extensions: [{ number: 0, data }] });
  const speaks = (data: readonly number[]): Uint8Array => hello({ extensions: [{ number: 16, data }] });

  test.each<[string, Uint8Array, string]>([
    ['an empty record', Uint8Array.from([22, 3, 1, 0, 0]), 'a record is empty'],
    [
      'an empty record in the middle',
      Buffer.concat([inRecords(helloMessage().subarray(0, 9)), Uint8Array.from([22, 3, 1, 0, 0])]),
      'a record is empty',
    ],
    ['a record above 16 KiB', Uint8Array.from([22, 3, 1, 0x40, 1]), 'a record is too long'],
    ['another message first', Uint8Array.from([22, 3, 1, 0, 4, 2]), 'the first message is not a ClientHello'],
    ['a hello that announces 16 MiB', Uint8Array.from([22, 3, 1, 0, 5, 1, 0xff, 0xff, 0xff]), 'the hello is too long'],
    [
      'an alert inside the hello',
      Buffer.concat([inRecords(helloMessage().subarray(0, 9)), Uint8Array.from([21])]),
      'another record is inside the hello',
    ],
    [
      'application data inside the hello',
      Buffer.concat([inRecords(helloMessage().subarray(0, 9)), inRecords(helloMessage().subarray(9), [], 23)]),
      'another record is inside the hello',
    ],
    [
      'a second message in the record of the hello',
      inRecords(Buffer.concat([helloMessage(), Uint8Array.of(1)])),
      'another message follows in the record of the hello',
    ],
    [
      'a second message that is still to come',
      inRecords(Buffer.concat([helloMessage(), helloMessage()])).subarray(0, 5 + helloMessage().length),
      'another message follows in the record of the hello',
    ],
    ['a version before SSL 3.0', hello({ version: [2, 0] }), 'the version is not of TLS'],
    ['a session id of 33 bytes', hello({ session: Array<number>(33).fill(0) }), 'the session id is too long'],
    ['no cipher suites', hello({ ciphers: [] }), 'the list of cipher suites does not parse'],
    ['half a cipher suite', hello({ ciphers: [1, 2, 3] }), 'the list of cipher suites does not parse'],
    ['no compression method', hello({ compression: [] }), 'the list of compression methods does not parse'],
    ['bytes after the extensions', hello({ trailing: [0] }), 'the extensions do not fill the hello'],
    [
      'half a length of the extensions',
      hello({ extensions: undefined, trailing: [0] }),
      'the extensions do not fill the hello',
    ],
    [
      'extensions longer than the hello',
      hello({ extensions: undefined, trailing: [0, 9, 0] }),
      'the extensions do not fill the hello',
    ],
    ['half an extension', hello({ extensions: undefined, trailing: [0, 3, 0, 0, 0] }), 'an extension does not fit'],
    [
      'an extension longer than its block',
      hello({ extensions: undefined, trailing: [0, 4, 0, 0, 0, 5] }),
      'an extension does not fit',
    ],
    [
      'two server names in two extensions',
      hello({ extensions: [serverName('a.test'), serverName('b.test')] }),
      'an extension appears twice',
    ],
    [
      'an unknown extension twice',
      hello({
        extensions: [
          { number: 99, data: [] },
          { number: 99, data: [] },
        ],
      }),
      'an extension appears twice',
    ],
    [
      'two server names in one list',
      named(vector16([0, ...vector16(ascii('a.test')), 0, ...vector16(ascii('b.test'))])),
      'the server name is not a host name',
    ],
    [
      'a server name of another type',
      named(vector16([1, ...vector16(ascii('a.test'))])),
      'the server name is not a host name',
    ],
    ['an empty server name', hello({ extensions: [serverName('')] }), 'the server name is not a host name'],
    ['an empty list of server names', named(vector16([])), 'the server name is not a host name'],
    ['an empty server name extension', named([]), 'the server name is not a host name'],
    [
      'bytes after the server names',
      named([...vector16([0, ...vector16(ascii('a.test'))]), 0]),
      'the server name is not a host name',
    ],
    [
      'a server name longer than its list',
      named(vector16([0, ...number16(9), ...ascii('a.test')])),
      'the server name is not a host name',
    ],
    [
      'a server name with NUL',
      hello({ extensions: [serverName('good.example\0.evil.test')] }),
      'the server name is not a host name',
    ],
    [
      'a server name with a line break',
      hello({ extensions: [serverName('a.test\r\nHost: b.test')] }),
      'the server name is not a host name',
    ],
    [
      'a server name with a wildcard',
      hello({ extensions: [serverName('*.example.com')] }),
      'the server name is not a host name',
    ],
    [
      'a server name with a port',
      hello({ extensions: [serverName('example.com:443')] }),
      'the server name is not a host name',
    ],
    [
      'a server name with bytes above ASCII',
      hello({ extensions: [serverName('b\u00fccher.de')] }),
      'the server name is not a host name',
    ],
    [
      'a server name of 300 bytes',
      hello({ extensions: [serverName('a.'.repeat(150))] }),
      'the server name is not a host name',
    ],
    ['an empty list of protocols', speaks(vector16([])), 'the list of protocols does not parse'],
    ['an empty protocol', speaks(vector16([...vector8(ascii('h2')), 0])), 'the list of protocols does not parse'],
    ['a protocol longer than the list', speaks(vector16([5, 1])), 'the list of protocols does not parse'],
    [
      'bytes after the protocols',
      speaks([...vector16(vector8(ascii('h2'))), 1]),
      'the list of protocols does not parse',
    ],
  ])('%s', (_, bytes, reason) => {
    expect(parseClientHello(bytes)).toEqual({ kind: 'malformed', reason });
  });

  test('too many records', () => {
    const message = helloMessage({ extensions: [{ number: 21, data: Array<number>(2000).fill(0) }] });
    expect(parseClientHello(inRecords(message, Array<number>(mostRecords - 1).fill(1))).kind).toBe('hello');
    expect(parseClientHello(inRecords(message, Array<number>(mostRecords).fill(1)))).toEqual({
      kind: 'malformed',
      reason: 'the hello is in too many records',
    });
  });
});

describe('any bytes', () => {
  const mutated = fc
    .tuple(
      fc.constantFrom(
        hello(),
        hello({ extensions: [serverName('a.test'), alpn('h2', 'http/1.1'), encryptedHello] }),
        inRecords(helloMessage(), [3, 9, 40]),
      ),
      fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 6 }),
    )
    .map(([bytes, changes]) => {
      const copy = Buffer.from(bytes);
      for (const [at, value] of changes) copy[at % copy.length] = value;
      return copy;
    });
  const anything = fc.oneof(
    mutated,
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from([22, 3, 1]), bytes])),
    fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => inRecords(Buffer.concat([Buffer.from([1, 0, 0, bytes.length]), bytes]))),
  );

  test('get an answer, and a named host is a normalised one', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const parse = parseClientHello(bytes);
        if (parse.kind !== 'hello') return;
        expect(parse.hello.length).toBeLessThanOrEqual(bytes.length);
        if (parse.hello.serverName !== undefined) expect(parse.hello.serverName).toMatch(/^[a-z0-9._:-]{1,253}$/u);
      }),
      { numRuns: rounds(4000) },
    );
  });

  test('get the same answer before and after further bytes', () => {
    fc.assert(
      fc.property(anything, fc.uint8Array({ maxLength: 30 }), (bytes, more) => {
        const parse = parseClientHello(bytes);
        if (parse.kind !== 'incomplete') expect(parseClientHello(Buffer.concat([bytes, more]))).toEqual(parse);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('a hello is read the same in any records', () => {
    const parts = fc.record({
      host: fc.domain().filter((name) => name.length < 200),
      protocols: fc.array(fc.constantFrom('h2', 'http/1.1', 'h3', 'x'), { maxLength: 4 }),
      lengths: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 30 }),
    });
    fc.assert(
      fc.property(parts, ({ host, protocols, lengths }) => {
        const extensions = [serverName(host), ...(protocols.length > 0 ? [alpn(...protocols)] : [])];
        const whole = parsed(hello({ extensions }));
        const bytes = inRecords(helloMessage({ extensions }), lengths);
        expect(parsed(bytes)).toEqual({ ...whole, length: bytes.length });
        expect(whole).toMatchObject({ serverName: host.toLowerCase(), alpn: protocols });
      }),
      { numRuns: rounds(500) },
    );
  });

  test('16 KiB byte by byte take little time', () => {
    const message = helloMessage({ extensions: [{ number: 21, data: Array<number>(16_000).fill(0) }] });
    const bytes = inRecords(message, Array<number>(mostRecords - 1).fill(1));
    atMost(3000, () => {
      for (let end = 0; end <= bytes.length; end += 1) parseClientHello(bytes.subarray(0, end));
    });
  });
});
