/** The supervisor's reply to a front. native/src/front/reply.c reads it. */
export type FrontReply =
  /** Node must do the run. */
  | { readonly kind: 'cold' }
  /** Nothing runs: text to print, and exit status. */
  | { readonly kind: 'said'; readonly text: string; readonly status: number }
  /** A box follows. The text is printed before it begins. */
  | { readonly kind: 'box'; readonly text: string };

/** The first byte on a connection, repeated until the reply. It shows that the supervisor is there. */
export const greeting = Buffer.from('a');

/** u8 kind, u32 length, payload. */
export function encodeFrontReply(reply: FrontReply): Buffer {
  switch (reply.kind) {
    case 'cold':
      return frame('c', Buffer.alloc(0));
    case 'said':
      return frame('s', Buffer.concat([Buffer.from([reply.status]), Buffer.from(reply.text)]));
    case 'box':
      return frame('b', Buffer.from(reply.text));
  }
}

/** Bytes of a text: `MOST_SAID` of native/src/front/reply.h. */
const mostSaid = 1024 * 1024;

function frame(kind: 'c' | 's' | 'b', payload: Buffer): Buffer {
  const said = payload.subarray(0, mostSaid);
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32LE(said.length, 1);
  return Buffer.concat([head, said]);
}
