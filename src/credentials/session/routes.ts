import type { Credential } from '../../policy/index.ts';
import type { Destination } from '../../egress/index.ts';

/** Names below it exist in boxes only. */
const suffix = '.credentials.holdfast';

/**
 * The name at which a box reaches the host of a credential in the clear. Source of the form of labels: RFC 1035 §2.3.1.
 */
export function routeName({ name }: Pick<Credential, 'name'>): string {
  return `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 63)}${suffix}`;
}

/** Where each of these names leads: to the first host of the credential that is spelled out. */
export function routesOf(credentials: readonly Credential[]): ReadonlyMap<string, Destination> {
  return new Map(
    credentials.flatMap((credential): readonly [string, Destination][] => {
      const destination = credential.delivery.baseUrls.length === 0 ? undefined : destinationOf(credential);
      return destination === undefined
        ? []
        : [
            [
              routeName(credential),
              { ...destination, host: destination.host === 'localhost' ? '127.0.0.1' : destination.host },
            ],
          ];
    }),
  );
}

/** The first host that is one name or address, and its port. */
export function destinationOf({ binding }: Pick<Credential, 'binding'>): Destination | undefined {
  const [found] = binding.hosts.flatMap(({ host, ports }) =>
    host.kind === 'exact'
      ? [{ host: host.text, ports }]
      : host.kind === 'localhost'
        ? [{ host: 'localhost', ports }]
        : [],
  );
  return found === undefined
    ? undefined
    : { host: found.host, port: found.ports?.from ?? (binding.transport === 'plain' ? 80 : 443) };
}
