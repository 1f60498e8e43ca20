import { expect, test } from 'vitest';
import type { SecretSource } from './types.ts';
import { describeSource } from './describe-credential.ts';

test.each<[SecretSource, string]>([
  [{ kind: 'env', variable: 'GITHUB_TOKEN' }, 'the environment variable GITHUB_TOKEN'],
  [{ kind: 'file', path: '/home/dev/.token' }, 'the file /home/dev/.token'],
  [{ kind: 'file', path: '/home/dev/.token', format: 'text' }, 'the file /home/dev/.token'],
  [{ kind: 'file', path: '/home/dev/.netrc', format: 'netrc' }, 'the file /home/dev/.netrc (netrc)'],
  [{ kind: 'command', argv: ['gh', 'auth', 'token'], timeout: 1 }, 'the command gh auth token'],
  [{ kind: 'keyring', service: 'holdfast', account: 'github' }, 'github of holdfast in the keyring'],
  [{ kind: 'onepassword', reference: 'op://dev/github/token' }, 'op://dev/github/token in 1Password'],
  [{ kind: 'bitwarden', item: 'GitHub', field: 'password' }, 'password of GitHub in Bitwarden'],
  [{ kind: 'vault', path: 'secret/app', field: 'token' }, 'token of secret/app in Vault'],
  [{ kind: 'capture' }, 'a login inside the box'],
])('%j is %s', (source, words) => {
  expect(describeSource(source)).toBe(words);
});
