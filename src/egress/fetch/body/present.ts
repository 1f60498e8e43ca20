import { present as presentText } from '../../../text/present.ts';
import { refuse } from '../../ssrf/index.ts';
import type { HopAnswer } from '../hop.ts';
import type { FetchContext, FetchedText, FetchOptions, FetchResult } from '../types.ts';
import { type ContentType, natureOf, parseContentType } from './content-type.ts';
import { decodeText, looksBinary } from './decode-text.ts';

export interface Received {
  readonly answer: HopAnswer;
  readonly finalUrl: string;
  readonly redirects: readonly string[];
}

/** What an agent gets of an answer: text where it is text, a page as text, and bytes only for those who ask for them. */
export async function present({ answer, finalUrl, redirects }: Received, context: Pick<FetchContext, 'convertHtml'>, { binary = 'refuse', html = 'text', hidden = 'reveal' }: FetchOptions): Promise<FetchResult> {
  const { status, contentType, truncated, bytes } = answer;
  const about = { status, finalUrl, contentType, truncated, redirects };
  const type = parseContentType(contentType);
  const nature = natureFor(type, bytes);
  if (nature === 'binary') {
    if (binary === 'bytes') return { kind: 'bytes', ...about, bytes };
    return refuse('upstream-protocol', `${finalUrl} is no text (${contentType === '' ? 'without a type' : contentType}, ${truncated ? 'more than ' : ''}${bytes.length} bytes)`, { remedy: 'ask for bytes, or fetch a page of text' });
  }
  const source = decodeText(bytes, { charset: type.charset, nature });
  const { text, form }: Pick<FetchedText, 'text' | 'form'> = nature === 'html' && html === 'text' ? await context.convertHtml(source, finalUrl) : { text: source, form: 'source' };
  const shown = presentText('page', text);
  return { kind: 'text', ...about, text: hidden === 'reveal' ? shown.text : text, form, findings: shown.findings };
}

/** The bytes overrule the header where it says nothing, or text of what is none. */
function natureFor({ essence, charset }: ContentType, bytes: Buffer): 'html' | 'text' | 'binary' {
  const nature = natureOf(essence);
  if (nature === 'binary' || looksBinary(bytes, charset)) return bytes.length === 0 ? 'text' : 'binary';
  if (nature !== 'unknown') return nature;
  return /^\s{0,100}(?:<!doctype html|<html[\s>])/i.test(bytes.toString('latin1', 0, 1024)) ? 'html' : 'text';
}
