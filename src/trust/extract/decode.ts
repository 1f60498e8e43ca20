/** UTF-8, with or without a mark at its beginning. Bytes that are none, and NUL, mean different texts to different readers. */
export function decode(bytes: Buffer): { readonly text: string; readonly problem?: string } {
  try {
    const text = utf8.decode(bytes);
    return text.includes('\0') ? { text, problem: 'it has NUL characters' } : { text };
  } catch (error) {
    if (error instanceof TypeError) return { text: '', problem: 'it is no UTF-8' };
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
