/**
 * First bytes that identify a format. Containers are distinguished by the bytes that follow. Source: the magic numbers
 * of each format's own specification.
 */
const beginnings: readonly { readonly at?: number; readonly bytes: string; readonly type: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { at: 8, bytes: 'WEBP', type: 'image/webp' },
  { at: 8, bytes: 'WAVE', type: 'audio/wav' },
  { at: 4, bytes: 'ftypavif', type: 'image/avif' },
  { at: 4, bytes: 'ftyp', type: 'video/mp4' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: '%PDF-', type: 'application/pdf' },
  { bytes: '\x1f\x8b', type: 'application/gzip' },
  { bytes: '\x28\xb5\x2f\xfd', type: 'application/zstd' },
  { bytes: 'BZh', type: 'application/x-bzip2' },
  { bytes: '\xfd7zXZ\0', type: 'application/x-xz' },
  { bytes: '7z\xbc\xaf\x27\x1c', type: 'application/x-7z-compressed' },
  { at: 257, bytes: 'ustar', type: 'application/x-tar' },
  { bytes: 'SQLite format 3\0', type: 'application/vnd.sqlite3' },
  { bytes: '\x7fELF', type: 'application/x-executable' },
  { bytes: '\0asm', type: 'application/wasm' },
  { bytes: 'PAR1', type: 'application/vnd.apache.parquet' },
  { bytes: 'OggS', type: 'audio/ogg' },
  { bytes: 'ID3', type: 'audio/mpeg' },
  { bytes: 'wOF2', type: 'font/woff2' },
];

/** Formats that are archives. The file name tells which one. */
const archives: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  jar: 'application/java-archive',
};

/** Formats that are text. Binary content never has one of these types, even if its name suggests it. */
const texts: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ipynb: 'application/x-ipynb+json',
  js: 'text/javascript',
  mjs: 'text/javascript',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  tex: 'application/x-tex',
};

/**
 * Returns the type: by the content if it is conclusive, otherwise by the name, otherwise `text/plain` or
 * `application/octet-stream`. Attack: a program with the file name of a picture.
 */
export function mimeType(name: string, data: Uint8Array): string {
  const head = Buffer.from(data.subarray(0, 512)).toString('latin1');
  const extension = /\.([^./]+)$/u.exec(name)?.[1]?.toLowerCase() ?? '';
  const found = beginnings.find(({ at = 0, bytes }) => head.startsWith(bytes, at));
  if (found !== undefined) return found.type;
  if (head.startsWith('PK\x03\x04')) return own(archives, extension) ?? 'application/zip';
  if (!isText(data)) return 'application/octet-stream';
  return own(texts, extension) ?? 'text/plain';
}

function own(types: Readonly<Record<string, string>>, extension: string): string | undefined {
  return Object.hasOwn(types, extension) ? types[extension] : undefined;
}

function isText(data: Uint8Array): boolean {
  if (data.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data);
    return true;
  } catch {
    return false;
  }
}
