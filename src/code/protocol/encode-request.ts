/**
 * The protocol between the driver in the box and the host.
 *
 * Into the box, on stdin: the driver, then one request at a time. Out of the box: stdout is the code's own, with an end
 * mark `NUL nonce .` after each request. Stderr is the code's own with the reply in between, in pieces `NUL nonce (+|.)
 * length LF bytes`. The piece with the point is the last of a message.
 *
 * Each request has a new nonce, so that leftovers of an earlier one cannot pass for the next one's. Code that forges
 * its own marks forges only its own result.
 */
import type { LanguagePreset } from '../languages.ts';

export interface CodeRequest {
  /** 32 hexadecimal digits. */
  readonly nonce: string;
  readonly source: string;
  readonly language: string;
  /** Name of the source in traces. */
  readonly name: string;
}

export function encodeDriver(text: string, requests: LanguagePreset['requests']): Buffer {
  return requests === 'texts' ? Buffer.from(`${text}\0`) : Buffer.from(`${Buffer.byteLength(text)}\n${text}`);
}

/** A text for a shell cannot contain a NUL. The caller has already refused such a text. */
export function encodeCodeRequest(request: CodeRequest, requests: LanguagePreset['requests']): Buffer {
  if (requests === 'texts') return Buffer.from(`${request.nonce}\0${request.source}\0`);
  return frame(request);
}

/** Interrupts the text that was sent with this nonce, if it still runs. */
export function encodeInterrupt(nonce: string): Buffer {
  return frame({ interrupt: nonce });
}

function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}
