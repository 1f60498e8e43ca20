/**
 * Providers: facts about the services that issue keys to people, as data. They are the hosts, the way a key is sent,
 * the variables that clients read, and the key's format. Every fact needs a source, and a host that others may take
 * over is not allowed.
 */
import { cloudProviders } from './clouds.ts';
import { forgeProviders } from './forges.ts';
import { languageModelProviders } from './language-models.ts';
import type { Provider } from './provider.ts';

export type { Provider } from './provider.ts';

/** Registries that packages are published to. */
const registryProviders = {
  npm: {
    title: 'npm',
    key: 'access token',
    sources: [
      'https://docs.npmjs.com/using-private-packages-in-a-ci-cd-workflow',
      'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    ],
    ways: [{ hosts: ['registry.npmjs.org'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [
      { name: 'NPM_TOKEN', readBy: 'an .npmrc that says _authToken=${NPM_TOKEN}', delivered: 'always' },
      { name: 'NODE_AUTH_TOKEN', readBy: 'an .npmrc of actions/setup-node', delivered: 'asked' },
    ],
    baseUrls: [],
    shapes: [{ of: 'access token', prefix: 'npm_', alphabet: 'base62', length: 36, checksum: 'github-crc32' }],
    note: 'npm reads no variable by itself: an `.npmrc` names it, or `files` delivers one.',
  },
  pypi: {
    title: 'PyPI',
    key: 'API token',
    sources: [
      'https://pypi.org/help/#apitoken',
      'https://twine.readthedocs.io/en/stable/#environment-variables',
      'https://docs.astral.sh/uv/reference/environment/#uv_publish_token',
    ],
    ways: [{ hosts: ['upload.pypi.org'], injection: { kind: 'basic', user: '__token__' }, use: 'phantom' }],
    variables: [
      {
        name: 'TWINE_PASSWORD',
        readBy: 'twine, with TWINE_USERNAME=__token__ where it asks for a user',
        delivered: 'always',
      },
      { name: 'UV_PUBLISH_TOKEN', readBy: 'uv publish', delivered: 'always' },
    ],
    baseUrls: [],
    shapes: [{ of: 'API token', prefix: 'pypi-AgEIcHlwaS5vcmc', alphabet: 'base64url', length: 150, checksum: 'none' }],
  },
} as const satisfies Readonly<Record<string, Provider>>;

const table = { ...languageModelProviders, ...cloudProviders, ...forgeProviders, ...registryProviders };

export type ProviderName = keyof typeof table;

/** Names in the order of the manual. */
export const providerNames = Object.keys(table) as readonly ProviderName[] as readonly [
  ProviderName,
  ...ProviderName[],
];

export const providers: Readonly<Record<ProviderName, Provider>> = table;
