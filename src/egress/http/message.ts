import type { Duplex } from 'node:stream';

/** One header or trailer line. */
export interface Field {
  /** As sent, in its original case. */
  readonly name: string;
  /** `name` in lower case, for comparisons. */
  readonly key: string;
  /** Without surrounding blanks. Each byte over 0x7f is the code point with the same number. */
  readonly value: string;
}

export type Fields = readonly Field[];

/**
 * The content of a message, as it arrives. It can be read only once. Leaving a `for await` loop over it early ends the
 * exchange.
 */
export interface Body extends AsyncIterable<Buffer> {
  /** Octets, if the sender announced them. */
  readonly length?: number;
  /** Fields after the content. Empty until the content has been read to its end. */
  trailers(): Fields;
}

export type Scheme = 'http' | 'https';
export type Alpn = 'h2' | 'http/1.1';

/** A new connection to the vetted address, secured if the scheme is https. */
export type Upstream = Duplex & { readonly alpn: Alpn };

/** A request on its way to the destination, with end-to-end fields only. */
export interface OutgoingRequest {
  readonly method: string;
  readonly scheme: Scheme;
  /** `Host` or `:authority`: the destination, with its port if the client named it. */
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
  /** In the original order, without `Host` and hop-by-hop fields. */
  readonly fields: Fields;
  readonly body?: Body;
  /** Present if the client wants to switch protocols. Only WebSocket is relayed. */
  readonly upgrade?: 'websocket';
  /** Called for every 1xx answer except 101. */
  readonly onInformational?: (status: number, fields: Fields) => void;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export interface IncomingResponse {
  readonly kind: 'response';
  /** 200 to 599, or 101 with a `tunnel`. */
  readonly status: number;
  /** Empty in HTTP/2. */
  readonly reason: string;
  readonly fields: Fields;
  readonly body?: Body;
  /** Carries the bytes after a switch of protocols. */
  readonly tunnel?: Duplex;
}

export function field(name: string, value: string): Field {
  return { name, key: name.toLowerCase(), value };
}

/** Returns the value of the first field with that name. `key` is in lower case. */
export function fieldValue(fields: Fields, key: string): string | undefined {
  return fields.find((candidate) => candidate.key === key)?.value;
}

/** Returns the values of every field with that name, in order. */
export function valuesOf(fields: Fields, key: string): readonly string[] {
  return fields.filter((candidate) => candidate.key === key).map(({ value }) => value);
}

/** Returns the members of a comma-separated list over any number of fields, in lower case. */
export function tokensOf(fields: Fields, key: string): readonly string[] {
  return valuesOf(fields, key).flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((token) => token.trim())
      .filter((token) => token !== ''),
  );
}

/**
 * Replaces all fields with that name by a single one in the position of the first. Appends it if the name is missing.
 */
export function withField(fields: Fields, name: string, value: string): Fields {
  const added = field(name, value);
  const first = fields.findIndex(({ key }) => key === added.key);
  if (first === -1) return [...fields, added];
  return fields.flatMap((candidate, index) =>
    index === first ? [{ ...added, name: candidate.name }] : candidate.key === added.key ? [] : [candidate],
  );
}

export function withoutField(fields: Fields, key: string): Fields {
  return fields.filter((candidate) => candidate.key !== key);
}
