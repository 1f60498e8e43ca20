import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { installedVersion } from '../../place/host/installation.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import type { MetricsOptions } from '../../serve/metrics/open-metrics.ts';
import { ownToken, readToken } from '../../serve/metrics/listen.ts';
import { type CommandInput, type CommandIo, optionText } from '../command.ts';

/** The options `--metrics` and `--metrics-token`. */
export interface MetricsWish {
  readonly host: string;
  readonly port: number;
  readonly token: { readonly file: string; readonly kind: 'given' | 'own' };
}

/** An address of IPv6 stands in brackets, as in a URL. */
const addressPattern = /^(?:(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<host>[\w.-]+)):)?(?<port>\d{1,5})$/iu;

/** Undefined without `--metrics`. Throws `HF_USAGE`. */
export function metricsWish({ values, io }: CommandInput): MetricsWish | undefined {
  const [address, token] = [optionText(values['metrics']), optionText(values['metrics-token'])];
  if (address === undefined) {
    if (token === undefined) return undefined;
    throw new HoldfastError('HF_USAGE', '--metrics-token needs --metrics', { remedy: 'add --metrics PORT' });
  }
  const { ipv6, host, port } = addressPattern.exec(address)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535)
    throw new HoldfastError('HF_USAGE', `expected a port, or an address with a port, got ${JSON.stringify(address)}`, {
      remedy: 'write --metrics 9464, or --metrics 0.0.0.0:9464',
    });
  return {
    host: ipv6 ?? host ?? '127.0.0.1',
    port: Number(port),
    token:
      token === undefined
        ? { kind: 'own', file: join(statePaths(homedir(), io.environment).state, 'metrics-token') }
        : { kind: 'given', file: resolve(io.cwd, token) },
  };
}

/** Returns the options as arguments that mean the same in any directory. */
export function metricsWords(wish: MetricsWish | undefined): readonly string[] {
  if (wish === undefined) return [];
  const { host, port, token } = wish;
  return [
    '--metrics',
    `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(token.kind === 'own' ? [] : ['--metrics-token', token.file]),
  ];
}

/** Creates the token in the state directory if it is missing. Throws `HF_USAGE`. */
export function metricsOptions({ host, port, token: { kind, file } }: MetricsWish, io: CommandIo): MetricsOptions {
  const { journal, state } = statePaths(homedir(), io.environment);
  const token = kind === 'own' ? ownToken(file) : readToken(file);
  return { host, port, token, journal, state, version: installedVersion() };
}
