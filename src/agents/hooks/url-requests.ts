import type { PolicyRequest } from '../../policy/index.ts';
import { few, invalidCall } from './failure.ts';
import { textsOf } from './json.ts';
import type { HookCall, ToolRow } from './types.ts';

type UrlRow = Extract<ToolRow, { readonly kind: 'urls' }>;

/** Every host that a call may fetch from. @throws HoldfastError `HF_HOOK_INVALID` where it names none, or what is no URL of the web. */
export function urlRequests({ urls, prose }: UrlRow, { input, tool }: HookCall): readonly PolicyRequest[] {
  const named = [...textsOf(input, urls), ...(prose === undefined ? [] : textsOf(input, prose).flatMap(urlsWithin))];
  if (named.length === 0) throw invalidCall(`${tool} names no URL`);
  return few(named).map((text) => {
    const url = URL.parse(text);
    const port = url?.port === '' ? ports[url.protocol] : Number(url?.port);
    if (url === null || port === undefined || ports[url.protocol] === undefined) throw invalidCall(`${tool} names a URL that is not of the web`);
    return { kind: 'connect', host: url.hostname.replace(/^\[|\]$/gu, ''), port, protocol: 'tcp' };
  });
}

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Those of a text, in each way that it can be read. Attack: a host that one reading names and the agent's does not, as in
 * `https://a.test"@b.test` and `https:/\b.test/?https://a.test`.
 */
function urlsWithin(text: string): readonly string[] {
  const words = text.split(/\s+/u).filter((word) => /^https?:/iu.test(word) && URL.canParse(word));
  const written = text.match(/[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>]+/giu) ?? [];
  const withUser = (text.match(/[a-z][a-z0-9+.-]{0,31}:\/\/\S+/giu) ?? []).filter((each) => each.includes('@') && URL.canParse(each));
  return [...new Set([...words, ...few(written), ...withUser])];
}
