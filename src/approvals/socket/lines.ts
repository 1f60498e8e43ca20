/** Cuts what a peer sends into lines, and keeps no more of an unfinished one than `most` bytes. */
export interface LineReader {
  /**
   * The lines that these bytes end, without their ends; `too-long` when one is longer than may be, and then the peer is
   * to be dropped.
   */
  push(bytes: Buffer): readonly string[] | 'too-long';
}

export function lineReader(most: number): LineReader {
  let kept: Buffer[] = [];
  let length = 0;
  return {
    push(bytes) {
      const lines: string[] = [];
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        if (length + end - from > most) return 'too-long';
        lines.push(Buffer.concat([...kept, bytes.subarray(from, end)]).toString());
        kept = [];
        length = 0;
        from = end + 1;
      }
      length += bytes.length - from;
      if (length > most) return 'too-long';
      if (from < bytes.length) kept.push(bytes.subarray(from));
      return lines;
    },
  };
}

const newline = 0x0a;
