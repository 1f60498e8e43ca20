/** What a body is, as its `Content-Type` says. */
export interface ContentType {
  /** Lower case, as `text/html`; empty when the server said nothing that can be read. */
  readonly essence: string;
  /** The label as sent, lower case. */
  readonly charset?: string;
}

/** Reads `type/subtype; charset=label`. Pure, and never throws. */
export function parseContentType(header: string): ContentType {
  const match = /^[\t ]*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})[\t ]*(?:;|$)/.exec(header.slice(0, 1000));
  if (match === null) return { essence: '' };
  const charset = /;[\t ]*charset[\t ]*=[\t ]*(?:"([^"]{1,40})"|([^\s";]{1,40}))/i.exec(header.slice(0, 1000));
  const label = charset?.[1] ?? charset?.[2];
  const essence = (match[1] ?? '').toLowerCase();
  return label === undefined ? { essence } : { essence, charset: label.toLowerCase() };
}

const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Text that is not called `text/…`. Source: IANA media types, as servers of sources and APIs send them. */
const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-ndjson',
  'application/jsonl',
  'application/xml',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/typescript',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/sql',
  'application/graphql',
  'application/x-sh',
  'application/x-shellscript',
  'application/x-python',
  'application/x-perl',
  'application/x-httpd-php',
  'application/x-www-form-urlencoded',
  'application/x-tex',
  'application/rtf',
  'application/x-pem-file',
  'application/pgp-signature',
  'application/x-subrip',
  'image/svg+xml',
  'message/rfc822',
]);

/** `unknown`: nothing said, or `application/octet-stream`, which servers say of files they do not know. */
export type Nature = 'html' | 'text' | 'binary' | 'unknown';

export function natureOf(essence: string): Nature {
  if (htmlTypes.has(essence)) return 'html';
  if (essence.startsWith('text/') || textTypes.has(essence) || essence.endsWith('+json') || essence.endsWith('+xml') || essence.endsWith('+yaml')) return 'text';
  return essence === '' || essence === 'application/octet-stream' || essence === 'binary/octet-stream' ? 'unknown' : 'binary';
}
