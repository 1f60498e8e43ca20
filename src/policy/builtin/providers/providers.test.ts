import { describe, expect, test } from 'vitest';
import { loadsCode } from '../../../shell/loads-code.ts';
import { boundTo } from '../../credentials/broker-for.ts';
import { injectionRows } from '../../credentials/injection-kinds.ts';
import { credentialsIn, tableText } from '../../credentials/testing/credentials.ts';
import { namesAddresses, parseHostPattern } from '../../patterns/host-pattern.ts';
import { looksSecret } from '../../settings/secret-shapes.ts';
import { providerNames, providers } from './index.ts';

const expand = (name: string, lines = '') =>
  credentialsIn(
    tableText(`provider = "${name}"${lines === '' ? '' : `\n${lines}`}`, ['hosts', 'inject', 'environment']),
  );

test('the providers that people ask for are there', () => {
  expect(providerNames).toEqual(
    expect.arrayContaining([
      'anthropic',
      'openai',
      'azure-openai',
      'gemini',
      'vertex',
      'bedrock',
      'mistral',
      'cohere',
      'groq',
      'deepseek',
      'openrouter',
      'copilot',
      'github',
      'gitlab',
      'npm',
      'pypi',
      'huggingface',
    ]),
  );
  for (const name of providerNames) expect(name).toMatch(/^[a-z][a-z-]{1,20}$/);
});

describe.each(providerNames)('%s', (name) => {
  const { title, key, sources, ways, variables, baseUrls, shapes, note } = providers[name];
  const example = ways[0].hostExample;
  const hosts = example === undefined ? '' : `hosts = ["${example}"]`;

  test('says what its key is and where that is written', () => {
    expect(title).toMatch(/^\w/);
    expect(key).toMatch(/^.{3,}$/);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^(?:https:\/\/[\w.-]+\/\S+|@?[\w./-]+ \d+\.\d+\.\d+)$/);
    if (note !== undefined) expect(note).toMatch(/\.$/);
  });

  test('names public hosts without a port, or an example of one', () => {
    for (const way of ways) {
      if (example === undefined) expect(way.hosts.length).toBeGreaterThan(0);
      for (const host of way.hosts) {
        const pattern = parseHostPattern(host);
        if (pattern.kind === 'problem') throw new Error(pattern.message);
        expect(pattern.ports).toBeUndefined();
        expect(['exact', 'subdomains']).toContain(pattern.host.kind);
        expect(namesAddresses(pattern)).toBe(false);
      }
    }
    if (example !== undefined) expect(parseHostPattern(example).kind).toBe('host');
  });

  test('is whole with a source alone, and the host where there is none for all', () => {
    const all = expand(name, hosts);
    expect(all.map((credential) => credential.name)).toEqual([
      ...ways.slice(1).map((way) => ('name' in way ? `example.${way.name}` : '')),
      'example',
    ]);
    for (const credential of all) {
      expect(injectionRows[credential.injection.kind].protocol).toBe('http');
      expect(credential.binding).toMatchObject({ transport: 'tls' });
      for (const { ports } of credential.binding.hosts) expect(ports).toEqual({ from: 443, to: 443 });
      if (injectionRows[credential.injection.kind].use === 'phantom') expect(credential.use).toBe('phantom');
    }
  });

  test('gives the box variables that clients read, none of which loads code', () => {
    const own = expand(name, hosts).at(-1);
    expect(own?.delivery.environment.map((variable) => variable.name)).toEqual(
      variables.filter(({ delivered }) => delivered === 'always').map((variable) => variable.name),
    );
    expect(own?.delivery).toMatchObject({ files: [], baseUrls: [] });
    for (const variable of [...variables, ...baseUrls]) {
      expect(variable.name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(loadsCode(variable.name)).toBe(false);
      expect(variable.readBy).toMatch(/\w/);
    }
    expect(variables.some(({ delivered }) => delivered === 'always')).toBe(true);
    expect(new Set([...variables, ...baseUrls].map((variable) => variable.name)).size).toBe(
      variables.length + baseUrls.length,
    );
  });

  test('gives base URLs with their paths when asked', () => {
    for (const { name: variable, path } of baseUrls) {
      expect(path).toMatch(/^(?:\/[\w.]+)*$/);
      const [only] = expand(name, `${hosts}${hosts === '' ? '' : '\n'}base_urls = ["${variable}"]`).slice(-1);
      expect(only?.delivery.baseUrls).toEqual([{ name: variable, path }]);
    }
  });

  test('has phantoms of at least 128 bits, in a form that can be written', () => {
    const bits = { base62: 5.95, base64url: 6, hex: 4, 'upper-base32': 5, uuid: 122 / 36, jwt: 6 } as const;
    for (const { prefix, alphabet, length, checksum, of: what } of shapes) {
      expect(what).toMatch(/\w/);
      expect(prefix).toMatch(/^[\w.-]*$/);
      expect((length - (checksum === 'none' ? 0 : 6)) * bits[alphabet]).toBeGreaterThanOrEqual(128);
      if (checksum !== 'none') expect(alphabet).toBe('base62');
    }
    expect(expand(name, hosts).at(-1)?.usualShape?.prefix).toBe(shapes[0]?.prefix);
  });
});

describe('ways of one provider', () => {
  const at = (name: string, url: string, hosts = '') => {
    const { hostname: host, pathname } = new URL(url);
    return expand(name, hosts)
      .filter((credential) => boundTo(credential, { host, port: 443, method: 'POST', paths: [pathname] }))
      .map((credential) => credential.name);
  };

  test.each<[string, string, readonly string[]]>([
    ['github', 'https://api.github.com/repos/a/b', ['example']],
    ['github', 'https://github.com/a/b.git/info/refs', ['example.git']],
    ['github', 'https://raw.githubusercontent.com/a/b/main/x', []],
    ['github', 'https://gist.github.com/a', []],
    ['gitlab', 'https://gitlab.com/api/v4/projects', ['example.git', 'example']],
    ['gitlab', 'https://gitlab.com/a/b.git/info/refs', ['example.git']],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta/models', ['example.query', 'example']],
    ['copilot', 'https://api.individual.githubcopilot.com/chat/completions', ['example']],
    ['copilot', 'https://api.github.com/copilot_internal/v2/token', ['example.login']],
    ['copilot', 'https://api.github.com/repos/a/b', []],
    ['openrouter', 'https://openrouter.ai/api/v1/chat/completions', ['example']],
    ['openrouter', 'https://openrouter.ai/settings', []],
    ['anthropic', 'https://api.anthropic.com/v1/messages', ['example']],
    ['anthropic', 'https://console.anthropic.com/', []],
    ['pypi', 'https://upload.pypi.org/legacy/', ['example']],
    ['pypi', 'https://pypi.org/simple/x/', []],
  ])('%s at %s: %j', (name, url, expected) => {
    expect(at(name, url)).toEqual(expected);
  });

  test('a customer’s host belongs to that customer only', () => {
    const hosts = 'hosts = ["mine.openai.azure.com"]';
    expect(at('azure-openai', 'https://mine.openai.azure.com/openai/v1/x', hosts)).toEqual(['example']);
    expect(at('azure-openai', 'https://other.openai.azure.com/openai/v1/x', hosts)).toEqual([]);
  });
});

test('two providers for the same service can be used side by side', () => {
  const text = ['anthropic', 'anthropic-oauth']
    .map((name) => tableText(`name = "${name}"\nprovider = "${name}"`, ['hosts', 'inject', 'environment']))
    .join('');
  expect(credentialsIn(text).map(({ name, injection }) => [name, injection.kind])).toEqual([
    ['anthropic', 'header'],
    ['anthropic-oauth', 'bearer'],
  ]);
});

test('the keys of providers are recognised as pasted secrets', () => {
  const known = [
    'anthropic',
    'openai',
    'gemini',
    'groq',
    'huggingface',
    'github',
    'gitlab',
    'npm',
    'pypi',
    'openrouter',
  ] as const;
  const made = (name: (typeof known)[number]) =>
    providers[name].shapes.map(({ prefix, length }) => `${prefix}${'EXAMPLEexample0'.repeat(30).slice(0, length)}`);
  const unknown = known.flatMap(made).filter((secret) => !looksSecret(secret));
  expect(unknown).toEqual([]);
});
