import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import type { PolicyValue } from '../document/types.ts';
import { userLayer } from '../layers/compile-layer.ts';
import { normaliseHost } from '../normalise/host.ts';
import { normaliseUrlPath } from '../normalise/url-path.ts';
import { policyOf } from '../policy.ts';
import { places } from '../testing/policies.ts';
import { boundTo, boundToHost } from './broker-for.ts';
import { credentialIn, tableText } from './testing/credentials.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const bound = (lines: string) => credentialIn(tableText(lines));

describe('a credential is for a host', () => {
  test.each<[string, string, number, boolean]>([
    ['hosts = ["api.example.com"]', 'api.example.com', 443, true],
    ['hosts = ["api.example.com"]', 'API.Example.COM.', 443, true],
    ['hosts = ["api.example.com"]', 'api.example.com', 8443, false],
    ['hosts = ["api.example.com"]', 'api.example.com', 80, false],
    ['hosts = ["api.example.com"]', 'xapi.example.com', 443, false],
    ['hosts = ["api.example.com"]', 'api.example.com.evil.test', 443, false],
    ['hosts = ["api.example.com"]', 'sub.api.example.com', 443, false],
    ['hosts = ["api.example.com"]', 'example.com', 443, false],
    ['hosts = ["api.example.com"]', 'api.example.com:443', 443, false],
    ['hosts = ["api.example.com"]', 'api.example.com@evil.test', 443, false],
    ['hosts = ["api.example.com"]', 'api.example.com\0', 443, false],
    ['hosts = ["api.example.com"]', 'api%2eexample.com', 443, false],
    ['hosts = ["api.example.com"]', '', 443, false],
    ['hosts = ["*.example.com"]', 'a.b.example.com', 443, true],
    ['hosts = ["*.example.com"]', 'example.com', 443, false],
    ['hosts = ["*.example.com"]', 'notexample.com', 443, false],
    ['hosts = ["api.example.com:8000-8100"]', 'api.example.com', 8050, true],
    ['hosts = ["api.example.com:8000-8100"]', 'api.example.com', 443, false],
    ['hosts = ["10.1.2.3"]', '0x0a010203', 443, true],
    ['hosts = ["10.1.2.3"]', '10.1.2.4', 443, false],
    ['hosts = ["[::ffff:10.1.2.3]"]', '10.1.2.3', 443, true],
    ['hosts = ["localhost:3000"]\ntransport = "plain"', '127.0.0.9', 3000, true],
    ['hosts = ["localhost:3000"]\ntransport = "plain"', 'localhost', 3000, true],
    ['hosts = ["localhost:3000"]\ntransport = "plain"', '10.0.0.1', 3000, false],
    ['hosts = ["bücher.example"]', 'xn--bcher-kva.example', 443, true],
    ['hosts = ["api.example.com"]\ntransport = "plain"', 'api.example.com', 80, true],
    ['hosts = ["api.example.com"]\ntransport = "plain"', 'api.example.com', 443, false],
  ])('%s: %j at %i is %s', (...[lines, host, port, expected]) => {
    expect(boundToHost(bound(lines), { host, port })).toBe(expected);
    expect(boundTo(bound(lines), { host, port, method: 'GET', paths: ['/'] })).toBe(expected);
  });
});

describe('a credential is for requests', () => {
  const to = { host: 'api.example.com', port: 443 };

  test.each<[string, string, readonly string[], boolean]>([
    ['', 'GET', ['/'], true],
    ['', 'BREW', ['/whatever'], true],
    ['', 'GET', [], true],
    ['methods = ["GET"]', 'GET', ['/'], true],
    ['methods = ["get"]', 'gEt', ['/'], true],
    ['methods = ["GET"]', 'HEAD', ['/'], false],
    ['methods = ["GET"]', '', ['/'], false],
    ['paths = ["/v1/*"]', 'GET', ['/v1/models'], true],
    ['paths = ["/v1/**"]', 'GET', ['/v1/a/b'], true],
    ['paths = ["/v1/*"]', 'GET', ['/v1/'], true],
    ['paths = ["/v1/*"]', 'GET', ['/v1'], false],
    ['paths = ["/v1/*"]', 'GET', ['/v2/models'], false],
    ['paths = ["/v1/*"]', 'GET', ['/V1/models'], false],
    ['paths = ["/v1/*"]', 'GET', ['//v1/models'], true],
    ['paths = ["/v1/*"]', 'GET', ['/v1/../admin'], false],
    ['paths = ["/v1/*"]', 'GET', ['/v1/%2e%2e/admin'], false],
    ['paths = ["/v1/*"]', 'GET', ['/%76%31/models'], true],
    ['paths = ["/v1/*"]', 'GET', ['/x/../v1/models'], true],
    ['paths = ["/v1/*"]', 'GET', [], false],
    ['paths = ["/v1/*"]', 'GET', [''], false],
    ['paths = ["/v1/*"]', 'GET', ['*'], false],
    ['paths = ["/v1/*"]', 'GET', ['/v1/a%2fb', '/v1/a/b'], true],
    ['paths = ["/v1/a"]', 'GET', ['/v1/a;x', '/v1/a'], false],
    ['paths = ["/v1/*", "/v2/*"]', 'GET', ['/v1/a', '/v2/a'], true],
    ['paths = ["/v1/*"]', 'GET', ['/v1/a', '/admin'], false],
    ['paths = ["/v1/models"]', 'GET', ['/v1/models/'], false],
    ['methods = ["GET"]\npaths = ["/v1/*"]', 'POST', ['/v1/a'], false],
  ])('%j: %s %j is %s', (...[lines, method, paths, expected]) => {
    expect(boundTo(bound(lines), { ...to, method, paths })).toBe(expected);
  });

  test('at another host nothing of it helps', () => {
    expect(boundTo(bound('paths = ["/v1/*"]'), { host: 'evil.test', port: 443, method: 'GET', paths: ['/v1/a'] })).toBe(
      false,
    );
  });
});

const pattern = fc.constantFrom('a.test', '*.a.test', 'b.a.test:8443', '*.b.a.test', '10.1.2.3', 'localhost:80');
const glob = fc.constantFrom('/', '/a', '/a/*', '*', '/a/?', '/*/b');
const host = fc.constantFrom(
  'a.test',
  'b.a.test',
  'c.b.a.test',
  'x.test',
  'A.TEST.',
  '10.1.2.3',
  '0x0a010203',
  '127.0.0.1',
  'not a host',
);
const path = fc
  .array(fc.constantFrom('a', 'b', '..', '.', '', '%61', '%2e%2e', '%2f', 'B'), { maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);
const binding = fc.record({
  hosts: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  methods: fc.option(fc.array(fc.constantFrom('GET', 'POST'), { minLength: 1, maxLength: 2 }), { nil: undefined }),
  paths: fc.option(fc.array(glob, { minLength: 1, maxLength: 2 }), { nil: undefined }),
});
const request = fc.record({
  host,
  port: fc.constantFrom(80, 443, 8443),
  method: fc.constantFrom('GET', 'post', 'PUT'),
  paths: fc.array(path, { maxLength: 3 }),
});

interface Written {
  readonly hosts: readonly string[];
  readonly methods: readonly string[] | undefined;
  readonly paths: readonly string[] | undefined;
}

function credentialOf({ hosts, methods, paths }: Written) {
  const list = (key: string, texts: readonly string[] | undefined) =>
    texts === undefined ? '' : `\n${key} = ${JSON.stringify(texts)}`;
  return bound(`hosts = ${JSON.stringify(hosts)}${list('methods', methods)}${list('paths', paths)}`);
}

describe('laws', () => {
  test('a credential is never bound wider than its patterns', () => {
    fc.assert(
      fc.property(binding, request, (written, asked) => {
        if (!boundTo(credentialOf(written), asked)) return;
        const name = normaliseHost(asked.host)?.text ?? '';
        expect(
          written.hosts.some((each) => {
            const [text = '', port = '443'] = each.split(':');
            const isHost = text.startsWith('*.')
              ? name.endsWith(text.slice(1))
              : text === 'localhost'
                ? name.startsWith('127.')
                : text === name;
            return isHost && Number(port) === asked.port;
          }),
        ).toBe(true);
        if (written.methods !== undefined) expect(written.methods).toContain(asked.method.toUpperCase());
        const globs = written.paths?.map((each) => new RegExp(`^${each.replaceAll('*', '.*').replaceAll('?', '.')}$`));
        for (const each of asked.paths)
          expect(globs?.some((one) => one.test(normaliseUrlPath(each))) ?? true).toBe(true);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('a request is matched as a rule about requests would match it', () => {
    fc.assert(
      fc.property(binding, request, path, (written, asked, only) => {
        const credential = credentialOf(written);
        const rule = {
          name: 'r',
          decision: 'allow',
          hosts: credential.binding.hosts.map(({ source, ports }) =>
            /:\d+$/.test(source) ? source : `${source}:${ports?.from}`,
          ),
          methods: written.methods,
          paths: written.paths,
        };
        const value = JSON.parse(JSON.stringify({ version: 1, http: [rule] })) as PolicyValue;
        const policy = policyOf([userLayer({ file: 'a.toml', value, lines: new Map() }, places)]);
        const { decision } = decide(policy, {
          kind: 'http',
          scheme: 'https',
          host: asked.host,
          port: asked.port,
          method: asked.method,
          path: only,
        });
        expect(boundTo(credential, { ...asked, paths: [only] })).toBe(decision === 'allow');
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('one more reading of a path never binds more, and one more pattern never less', () => {
    fc.assert(
      fc.property(binding, request, path, glob, (...[written, asked, reading, more]) => {
        const narrow = credentialOf(written);
        const again = { ...asked, paths: [...asked.paths, reading] };
        if (asked.paths.length > 0 && !boundTo(narrow, asked)) expect(boundTo(narrow, again)).toBe(false);
        if (written.paths !== undefined && boundTo(narrow, asked))
          expect(boundTo(credentialOf({ ...written, paths: [...written.paths, more] }), asked)).toBe(true);
        if (boundTo(narrow, asked)) expect(boundToHost(narrow, asked)).toBe(true);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('every request gets an answer', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\0', '\ud800', '*', '%', '%zz', '/'.repeat(5000)),
    );
    fc.assert(
      fc.property(
        nasty,
        fc.oneof(fc.integer(), fc.double()),
        nasty,
        fc.array(nasty, { maxLength: 3 }),
        (...[name, port, method, paths]) => {
          expect(boundTo(bound('paths = ["/v1/*"]'), { host: name, port, method, paths })).toBe(false);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});
