import type { Credential, SecretSource } from './types.ts';

/**
 * Returns one line of `holdfast policy show`: the secret's source, its hosts, and its form in the box. Never holds a
 * value.
 */
export function describeCredential({ name, provider, source, binding, injection, delivery, use }: Credential): string {
  const { environment, files, baseUrls } = delivery;
  const seen = [
    ...environment.map((variable) => variable.name),
    ...files.map(({ path }) => path),
    ...baseUrls.map((variable) => variable.name),
  ];
  const limits = [...(binding.methods ?? []), ...(binding.paths ?? [])];
  return [
    name,
    ...(provider === undefined ? [] : [`(${provider})`]),
    `from ${describeSource(source)},`,
    `${injection.kind}${use === 'always' ? ' always' : ''} to ${binding.hosts.map(({ source: host, ports }) => (/:\d+(?:-\d+)?$/.test(host) ? host : `${host}:${ports?.from ?? ''}`)).join(' ')}`,
    ...(limits.length === 0 ? [] : [`for ${limits.join(' ')}`]),
    ...(binding.transport === 'plain' ? ['also in the clear'] : []),
    ...(seen.length === 0 ? [] : [`as ${seen.join(' ')}`]),
  ].join(' ');
}

/** Describes a source for lists and messages. */
export function describeSource(source: SecretSource): string {
  switch (source.kind) {
    case 'env':
      return `the environment variable ${source.variable}`;
    case 'file':
      return `the file ${source.path}${source.format === undefined || source.format === 'text' ? '' : ` (${source.format})`}`;
    case 'command':
      return `the command ${source.argv.join(' ')}`;
    case 'keyring':
      return `${source.account} of ${source.service} in the keyring`;
    case 'onepassword':
      return `${source.reference} in 1Password`;
    case 'bitwarden':
      return `${source.field} of ${source.item} in Bitwarden`;
    case 'vault':
      return `${source.field} of ${source.path} in Vault`;
    case 'capture':
      return 'a login inside the box';
  }
}
