/** What became of the first bytes of a message. */
export type Parsed<Value> =
  | { readonly kind: 'incomplete' }
  /** `length` bytes were the message; what follows is somebody else's. */
  | { readonly kind: 'parsed'; readonly value: Value; readonly length: number }
  /** `reason` is one line, without anything the sender sent. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Pure. Gets everything from the start of the message, again and again, until it is complete. */
export type Parser<Value> = (bytes: Buffer) => Parsed<Value>;

export const incomplete = { kind: 'incomplete' } as const;

export function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}
