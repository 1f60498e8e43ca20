import { HoldfastError } from '../../../errors/index.ts';

/** A port of this machine's loopback, the port of the pod's loopback behind it, and that of the box. */
export interface ForwardedPort {
  readonly host: number;
  readonly pod: number;
  readonly box: number;
}

const pattern = /^(?:(?<host>\d{1,5}):)?(?<box>\d{1,5})$/u;

/** Ports that a run forwards. An annotation may hold anything: words that are not ports are ignored. */
export function shownIn(words: readonly string[]): readonly ForwardedPort[] {
  return words.flatMap((word) => {
    const { host, box } = portsOf(word) ?? {};
    return box === undefined ? [] : [{ host: host ?? box, pod: host ?? box, box }];
  });
}

/**
 * Returns the requested ports, as `8080` or `3000:8080`, among those that a run forwards. Default: all of them. Throws
 * `HF_USAGE` for others.
 */
export function portsWanted(wanted: readonly string[], shown: readonly ForwardedPort[]): readonly ForwardedPort[] {
  if (shown.length === 0)
    throw new HoldfastError('HF_USAGE', 'this sandbox shows no port of its box', {
      remedy: 'start it with --forward PORT, or with `forward` under [network] of the policy',
    });
  if (wanted.length === 0) return shown;
  return wanted.map((word) => {
    const ports = portsOf(word);
    if (ports === undefined)
      throw new HoldfastError('HF_USAGE', `this is no port: ${JSON.stringify(word.slice(0, 40))}`, {
        remedy: 'write 8080, or 3000:8080 for port 8080 of the box as 3000',
      });
    const found = shown.find(({ box }) => box === ports.box);
    if (found !== undefined) return { ...found, host: ports.host ?? found.host };
    const known = shown.map(({ box }) => box).join(', ');
    throw new HoldfastError('HF_USAGE', `this sandbox does not show port ${ports.box} of its box, but ${known}`, {
      remedy: `name one of these, or start a sandbox with --forward ${ports.box}`,
    });
  });
}

function portsOf(word: string): { readonly host?: number; readonly box: number } | undefined {
  const groups = pattern.exec(word)?.groups;
  if (groups === undefined) return undefined;
  const [host, box] = [groups['host'], groups['box']].map((text) => (text === undefined ? undefined : Number(text)));
  if (!isPort(box) || (host !== undefined && !isPort(host))) return undefined;
  return { box, ...(host === undefined ? {} : { host }) };
}

function isPort(port: number | undefined): port is number {
  return port !== undefined && port > 0 && port < 65_536;
}
