import { matchAt } from './destination.ts';

export const hostName = /[a-z0-9.-]{1,253}/iuy;
const port = /:\d{1,5}(?!\d)/uy;
/** What a name may stand before so that no renderer can see a longer one, nor take it for a user before `@`. */
const ending = /(?![^\s</?#]{0,2048}@)(?:[/?#\][|^<\s]|[)!.,:;*_'"?]*(?:[\s<\]|]|$))/uy;

/**
 * The end of the host, and of its port, that begins there in running text; nothing where renderers could disagree about
 * it, or it is not allowed. The dearest look comes last: in a text of `www.www.` it would take minutes.
 */
export function bareHostEnd(text: string, at: number, isAllowed: (host: string) => boolean): number | undefined {
  const host = matchAt(hostName, text, at)?.[0].replace(/[.-]+$/u, '') ?? '';
  if (host === '' || host.startsWith('.') || host.includes('..')) return undefined;
  const end = at + host.length + (matchAt(port, text, at + host.length)?.[0].length ?? 0);
  return isAllowed(text.slice(at, end)) && matchAt(ending, text, end) !== undefined ? end : undefined;
}
