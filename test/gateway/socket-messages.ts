/**
 * The messages of a server's frames, in any fragmentation: one line for each message, with control frames in their
 * places. From the first illegal frame on, the raw bytes. Source: RFC 6455 §5.2.
 */
export function socketMessages(bytes: Buffer): Buffer {
  const out: Buffer[] = [];
  let parts: Buffer[] = [];
  let at = 0;
  for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
    at = frame.end;
    if (frame.opcode >= 8) {
      out.push(line(frame.opcode, frame.payload));
      continue;
    }
    parts.push(...(frame.opcode === 0 ? [frame.payload] : [Buffer.of(frame.opcode), frame.payload]));
    if (!frame.isFinal) continue;
    out.push(line(0, Buffer.concat(parts)));
    parts = [];
  }
  return Buffer.concat([...out, ...parts, bytes.subarray(at)]);
}

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
  readonly end: number;
}

/** Undefined for an incomplete frame, a masked one, or one with a reserved bit. */
function frameAt(bytes: Buffer, at: number): Frame | undefined {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  if (bytes.length < at + 2 || (first & 0x70) !== 0 || second > 127) return undefined;
  const extended = second === 126 ? 2 : second === 127 ? 8 : 0;
  const start = at + 2 + extended;
  if (bytes.length < start) return undefined;
  const size =
    extended === 0 ? second : extended === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  return bytes.length < start + size
    ? undefined
    : { opcode: first & 15, isFinal: first >= 128, payload: bytes.subarray(start, start + size), end: start + size };
}

function line(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`\n${opcode} ${payload.length} `), payload]);
}
