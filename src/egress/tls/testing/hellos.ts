/** Builds ClientHellos byte by byte, including ones that no client would send. */
export interface HelloParts {
  readonly version?: readonly number[];
  readonly session?: readonly number[];
  readonly ciphers?: readonly number[];
  readonly compression?: readonly number[];
  /** `undefined` omits the whole block. */
  readonly extensions?: readonly Extension[] | undefined;
  /** Bytes after the extensions. */
  readonly trailing?: readonly number[];
}

export interface Extension {
  readonly number: number;
  readonly data: readonly number[];
}

export function number16(value: number): readonly number[] {
  return [value >> 8, value & 255];
}

export function vector8(data: readonly number[]): readonly number[] {
  return [data.length, ...data];
}

export function vector16(data: readonly number[]): readonly number[] {
  return [...number16(data.length), ...data];
}

export function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, 'latin1')];
}

export function serverName(name: string): Extension {
  return { number: 0, data: vector16([0, ...vector16(ascii(name))]) };
}

export function alpn(...protocols: readonly string[]): Extension {
  return { number: 16, data: vector16(protocols.flatMap((protocol) => vector8(ascii(protocol)))) };
}

export const encryptedHello: Extension = { number: 0xfe_0d, data: [0, 0, 1, 0, 1, 7, 0, 0, 0, 0] };

/** The handshake message, without record. */
export function helloMessage(parts: HelloParts = {}): Uint8Array {
  const { version = [3, 3], session = [], ciphers = [0x13, 0x01], compression = [0], trailing = [] } = parts;
  const extensions = 'extensions' in parts ? parts.extensions : [serverName('example.com')];
  const block =
    extensions === undefined
      ? []
      : vector16(extensions.flatMap(({ number, data }) => [...number16(number), ...vector16(data)]));
  const body = [
    ...version,
    ...Array<number>(32).fill(7),
    ...vector8(session),
    ...vector16(ciphers),
    ...vector8(compression),
    ...block,
    ...trailing,
  ];
  return Uint8Array.from([1, body.length >> 16, (body.length >> 8) & 255, body.length & 255, ...body]);
}

/** The message in records of the given lengths. The last takes the rest. */
export function inRecords(message: Uint8Array, lengths: readonly number[] = [], type = 22): Uint8Array {
  const records: Uint8Array[] = [];
  let at = 0;
  for (const length of [...lengths, message.length]) {
    const part = message.subarray(at, at + length);
    if (part.length > 0) records.push(Uint8Array.from([type, 3, 1, ...number16(part.length)]), part);
    at += length;
  }
  return Buffer.concat(records);
}
