import { TextDecoder } from 'node:util';
import { present as presentText } from '../../../text/present.ts';
import { refuse } from '../../ssrf/refuse.ts';
import type { FetchContext, FetchedText, FetchOptions, FetchResult, HopAnswer } from '../types.ts';

export interface Received {
  readonly answer: HopAnswer;
  readonly finalUrl: string;
  readonly redirects: readonly string[];
}

/** Presents an answer to an agent: text unchanged, a page as text, and binary content only on request. */
export async function presentAnswer(
  { answer, finalUrl, redirects }: Received,
  context: Pick<FetchContext, 'convertHtml'>,
  { binary = 'refuse', html = 'text', hidden = 'reveal' }: FetchOptions,
): Promise<FetchResult> {
  const { status, contentType, truncated, bytes } = answer;
  const about = { status, finalUrl, contentType, truncated, redirects };
  const type = parseContentType(contentType);
  const nature = natureFor(type, bytes);
  if (nature === 'binary') {
    if (binary === 'bytes') return { kind: 'bytes', ...about, bytes };
    return refuse(
      'upstream-protocol',
      `${finalUrl} is not text (${contentType === '' ? 'without a type' : contentType}, ${truncated ? 'more than ' : ''}${bytes.length} bytes)`,
      { remedy: 'ask for bytes, or fetch a page of text' },
    );
  }
  const source = decodeText(bytes, { charset: type.charset, nature });
  const { text, form }: Pick<FetchedText, 'text' | 'form'> =
    nature === 'html' && html === 'text'
      ? await context.convertHtml(source, finalUrl)
      : { text: source, form: 'source' };
  const shown = presentText('page', text);
  return { kind: 'text', ...about, text: hidden === 'reveal' ? shown.text : text, form, findings: shown.findings };
}

/** The bytes override the header if the header says nothing, or claims text for binary content. */
function natureFor({ essence, charset }: ContentType, bytes: Buffer): 'html' | 'text' | 'binary' {
  const nature = natureOf(essence);
  if (nature === 'binary' || looksBinary(bytes, charset)) return bytes.length === 0 ? 'text' : 'binary';
  if (nature !== 'unknown') return nature;
  return /^\s{0,100}(?:<!doctype html|<html[\s>])/i.test(bytes.toString('latin1', 0, 1024)) ? 'html' : 'text';
}

/** Type of a body, from its `Content-Type`. */
interface ContentType {
  /** Lower case, such as `text/html`. Empty if the header is missing or unreadable. */
  readonly essence: string;
  /** Label as sent, in lower case. */
  readonly charset?: string;
}

/** Parses `type/subtype; charset=label`. Pure, and never throws. */
export function parseContentType(header: string): ContentType {
  const match = /^[\t ]*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})[\t ]*(?:;|$)/.exec(header.slice(0, 1000));
  if (match === null) return { essence: '' };
  const charset = /;[\t ]*charset[\t ]*=[\t ]*(?:"([^"]{1,40})"|([^\s";]{1,40}))/i.exec(header.slice(0, 1000));
  const label = charset?.[1] ?? charset?.[2];
  const essence = (match[1] ?? '').toLowerCase();
  return label === undefined ? { essence } : { essence, charset: label.toLowerCase() };
}

const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Text under media types other than `text/…`. Source: IANA media types, as servers of source code and APIs send them.
 */
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

/** `unknown`: no type, or `application/octet-stream`, which servers send for file types that they do not know. */
type Nature = 'html' | 'text' | 'binary' | 'unknown';

export function natureOf(essence: string): Nature {
  if (htmlTypes.has(essence)) return 'html';
  if (
    essence.startsWith('text/') ||
    textTypes.has(essence) ||
    essence.endsWith('+json') ||
    essence.endsWith('+xml') ||
    essence.endsWith('+yaml')
  )
    return 'text';
  return essence === '' || essence === 'application/octet-stream' || essence === 'binary/octet-stream'
    ? 'unknown'
    : 'binary';
}

/** Bytes that are searched for a byte order mark and a `<meta>` (HTML §13.2.3.2). */
const prescan = 1024;

/** The declaration of an HTML page: `<meta charset=label>`, or in the `content` of a `<meta http-equiv>`. */
const metaCharset = /<meta\s[^>]{0,500}?charset\s{0,10}=\s{0,10}["']?\s{0,10}([\w:.-]{1,40})/i;

interface TextHints {
  /** Charset of the header. */
  readonly charset?: string | undefined;
  readonly nature: 'html' | 'text';
}

/**
 * Decodes bytes by byte order mark, header or `<meta>`. Without any of these, decodes as UTF-8, or as windows-1252 if
 * the bytes are not UTF-8, as browsers do. Ignores unknown labels. Never throws.
 */
export function decodeText(bytes: Uint8Array, { charset, nature }: TextHints): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescan));
  const decoder =
    decoderOf(markOf(start)) ?? decoderOf(charset) ?? (nature === 'html' ? decoderOf(metaOf(start)) : undefined);
  return decoder === undefined ? decodeUnlabelled(bytes) : decoder.decode(bytes);
}

/**
 * Returns true if bytes do not look like text. In text, a NUL occurs only in UTF-16, and its byte order mark identifies
 * that.
 */
export function looksBinary(bytes: Uint8Array, charset: string | undefined): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8192));
  if (markOf(start) !== undefined || charset?.startsWith('utf-16') === true) return false;
  return start.includes(0);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** If the `<meta>` is readable as ASCII, the page is not in UTF-16, even if it says so (HTML §13.2.3.2, step 14). */
function metaOf(bytes: Buffer): string | undefined {
  const label = metaCharset.exec(bytes.toString('latin1'))?.[1]?.toLowerCase();
  return label?.startsWith('utf-16') === true ? 'utf-8' : label;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    // The size limit may have cut a character in two. The page is not at fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
