import { TextDecoder } from 'node:util';

/** The bytes a byte order mark and a `<meta>` are looked for in (HTML §13.2.3.2). */
const prescan = 1024;

/** As an HTML page says itself: `<meta charset=label>`, or in the `content` of a `<meta http-equiv>`. */
const metaCharset = /<meta\s[^>]{0,500}?charset\s{0,10}=\s{0,10}["']?\s{0,10}([\w:.-]{1,40})/i;

export interface TextHints {
  /** What the header says. */
  readonly charset?: string | undefined;
  readonly nature: 'html' | 'text';
}

/**
 * Bytes as text: by byte order mark, header, `<meta>`, and otherwise as UTF-8, or as windows-1252 when they are not
 * UTF-8, as browsers do. Labels that are not known count as none. Never throws.
 */
export function decodeText(bytes: Uint8Array, { charset, nature }: TextHints): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescan));
  const decoder = decoderOf(markOf(start)) ?? decoderOf(charset) ?? (nature === 'html' ? decoderOf(metaOf(start)) : undefined);
  return decoder === undefined ? decodeUnlabelled(bytes) : decoder.decode(bytes);
}

/** Whether bytes look like no text: a NUL does not occur in any but UTF-16, and that says so by its mark. */
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

/** A page whose `<meta>` can be read as ASCII is not in UTF-16, whatever it says (HTML §13.2.3.2, step 14). */
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
    // A character that the size limit cut in two is not the page's fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
