import { describe, expect, test } from 'vitest';
import { createNameTable } from '../dns/index.ts';
import { dialledBy } from './destination.ts';

const resolver = '198.18.0.1';

describe('dialledBy', () => {
  test('finds the name of a fake address, also when IPv6 sockets spell it', () => {
    const names = createNameTable();
    const address = names.addressFor('example.com') ?? '';
    const expected = { kind: 'destination', destination: { host: 'example.com', port: 443 } };
    expect(dialledBy(address, 443, { names, resolver })).toEqual(expected);
    expect(dialledBy(`::ffff:${address}`, 443, { names, resolver })).toEqual(expected);
  });

  // Attack: an address that was cached from an earlier session.
  test('refuses an address of the range that this session never handed out', () => {
    const other = createNameTable().addressFor('example.com') ?? '';
    const dialled = dialledBy(other, 443, { names: createNameTable(), resolver });
    expect(dialled).toMatchObject({ kind: 'unknown', destination: { host: other, port: 443 }, refusal: { code: 'special-address' } });
  });

  test('the resolver is one address and one port', () => {
    const names = createNameTable();
    expect(dialledBy(resolver, 53, { names, resolver })).toEqual({ kind: 'resolver' });
    expect(dialledBy(`::ffff:${resolver}`, 53, { names, resolver })).toEqual({ kind: 'resolver' });
    expect(dialledBy(resolver, 80, { names, resolver })).toMatchObject({ kind: 'unknown' });
    expect(dialledBy('8.8.8.8', 53, { names, resolver })).toEqual({ kind: 'destination', destination: { host: '8.8.8.8', port: 53 } });
    expect(dialledBy('127.0.0.1', 53, { names, resolver: '127.0.0.1' })).toEqual({ kind: 'resolver' });
  });

  test.each([['127.0.0.1', '127.0.0.1'], ['::1', '::1'], ['::ffff:127.0.0.1', '127.0.0.1'], ['1.2.3.4', '1.2.3.4'], ['::ffff:1.2.3.4', '1.2.3.4'], ['2606:4700:0:0::1', '2606:4700::1'], ['169.254.169.254', '169.254.169.254']])('%s is itself', (address, host) => {
    expect(dialledBy(address, 80, { names: createNameTable(), resolver })).toEqual({ kind: 'destination', destination: { host, port: 80 } });
  });

  test('with real addresses it finds the name that was answered with them last', () => {
    const names = createNameTable();
    names.remember('a.example', ['1.2.3.4']);
    expect(dialledBy('1.2.3.4', 443, { names, resolver })).toEqual({ kind: 'destination', destination: { host: 'a.example', port: 443 } });
  });
});
