import type { Destination } from '../types.ts';
import { noProxyOf } from './no-proxy.ts';
import { type ChosenProxy, parseProxy } from './parse-proxy.ts';

export type { ChosenProxy } from './parse-proxy.ts';

/** What a connection is for, as far as it is known: the variables of the environment tell schemes apart. */
export type ProxyFor = 'http' | 'https' | 'tcp';

/** Which proxy of the host's environment a destination is reached through. */
export interface ProxySettings {
  choose(destination: Destination, use?: ProxyFor): ChosenProxy;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first that is set counts; lower case first, as curl reads them. A program without a scheme asks ALL_PROXY alone: no ssh ever asked HTTPS_PROXY. */
const variables: Readonly<Record<ProxyFor, readonly string[]>> = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  tcp: ['all_proxy', 'ALL_PROXY'],
};

const uses: ReadonlyMap<number, ProxyFor> = new Map([
  [80, 'http'],
  [8080, 'http'],
  [443, 'https'],
  [8443, 'https'],
]);

/** Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in both cases, from the environment of the host. */
export function proxySettings(environment: Environment): ProxySettings {
  const bypasses = noProxyOf(valueOf(environment, ['no_proxy', 'NO_PROXY']) ?? '');
  return {
    choose(destination, use = uses.get(destination.port) ?? 'tcp') {
      const name = variables[use].find((variable) => isSet(environment[variable]));
      if (name === undefined || bypasses(destination)) return { kind: 'direct' };
      return parseProxy(name, environment[name] ?? '');
    },
  };
}

function valueOf(environment: Environment, names: readonly string[]): string | undefined {
  const name = names.find((variable) => isSet(environment[variable]));
  return name === undefined ? undefined : environment[name];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}
