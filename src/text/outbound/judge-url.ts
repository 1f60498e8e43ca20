export type Judged =
  /** Stays where the page is. */
  | { readonly kind: 'relative' }
  | { readonly kind: 'allowed'; readonly href: string }
  /** `shown`: the URL so that nothing takes it for one; `host`: what it would reach, written likewise. */
  | { readonly kind: 'refused'; readonly host: string; readonly shown: string };

const nowhere = 'relative.invalid';
const longestUrl = 8192;
const longestShown = 160;
/** Pixels only: an SVG could load and run whatever it likes. */
export const rasterData = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]*={0,2}$/u;

/** Where a URL leads, read as a browser reads it: `raw` is decoded of everything that markdown or HTML wrapped it in. */
export function judgeUrl(raw: string, allows: (url: string) => boolean): Judged {
  if (rasterData.test(raw)) return { kind: 'allowed', href: raw };
  // Without a base first: `https:evil.example.com` is a path on pages of https, and a host on those of http.
  const url = raw.length > longestUrl ? null : (URL.parse(raw) ?? URL.parse(raw, `https://${nowhere}/`));
  if (url === null) return refused('', raw);
  if (url.protocol === 'mailto:') return url.search === '' && /^mailto:[\w.+-]+@[\w.-]+$/u.test(url.href) ? { kind: 'allowed', href: url.href } : refused('', url.href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('', url.href);
  if (url.host === nowhere) return raw.toLowerCase().includes(nowhere) ? refused(url.host, url.href) : { kind: 'relative' };
  // A name before the host is there to be mistaken for it.
  if (url.username !== '' || url.password !== '' || !allows(url.href)) return refused(url.host, url.href);
  return { kind: 'allowed', href: url.href };
}

function refused(host: string, href: string): Judged {
  return { kind: 'refused', host: host === '' ? inert(/^[^:/?#]{0,20}/u.exec(href)?.[0] ?? '') : inert(host), shown: inertUrl(href) };
}

/** `https[:]//evil[.]example[.]com/path`: what people read, and no renderer links. */
export function inertUrl(href: string): string {
  const [, scheme = '', slashes = '', host = '', rest = href] = /^([A-Za-z][A-Za-z0-9+.-]*):(\/\/)?([^/?#]*)(.*)$/su.exec(href) ?? [];
  const short = rest.length > longestShown ? `${rest.slice(0, longestShown)}...` : rest;
  const named = inert(host.slice(0, longestShown));
  // Without a name behind them, two slashes begin a URL with whatever comes next.
  const between = slashes === '' || /^[a-z0-9]/iu.test(named) ? slashes : '/%2F';
  return `${scheme === '' ? '' : `${scheme.replaceAll('.', '[.]')}[:]${between}`}${named}${quiet(short)}`;
}

function inert(host: string): string {
  return quiet(host.replaceAll(/[[\]]/gu, '')).replaceAll('.', '[.]').replaceAll('%3A', '[:]');
}

/** Nothing that markdown, HTML or a linker of plain text gives a meaning to. */
function quiet(text: string): string {
  return text.toWellFormed().replaceAll(/[^A-Za-z0-9\-/._?=;,+#%]/gu, encodeURIComponent).replaceAll(/[!'()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('~', '%7E').replaceAll('//', '/%2F').replaceAll(/(?<=www)\./giu, '%2E');
}
