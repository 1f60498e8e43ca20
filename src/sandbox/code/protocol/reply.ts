import * as v from 'valibot';

/** Bytes of all that one request is answered with. The drivers keep well below it. */
export const largestReply = 64 << 20;
/** Values that one request shows. */
export const mostResults = 1000;
/** Bytes of one piece, with room beyond what the drivers send. */
export const largestPiece = 4096;
/** Bytes of one that is not the last. */
export const smallestPart = 1024;

const mimeType = v.pipe(v.string(), v.maxLength(100), v.regex(/^[\w.+-]+\/[\w.+-]+$/u));
const format = v.union([v.strictObject({ type: mimeType, text: v.string() }), v.strictObject({ type: mimeType, base64: v.pipe(v.string(), v.regex(/^[\w+/]*={0,2}$/u)) })]);
const formats = v.pipe(v.array(format), v.minLength(1), v.maxLength(32));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));

/** Anything in the box may have written it: it says what the code came to, and nothing else is believed of it. */
export const replySchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('value'), formats }),
  v.strictObject({ kind: v.literal('display'), formats }),
  v.strictObject({
    kind: v.literal('end'),
    exitCode: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
    leftOut: v.optional(count),
    error: v.optional(v.strictObject({ name: v.pipe(v.string(), v.maxLength(1000)), message: v.pipe(v.string(), v.maxLength(131_072)), traceback: v.pipe(v.string(), v.maxLength(131_072)) })),
  }),
]);

export type Reply = v.InferOutput<typeof replySchema>;
export type ReplyFormat = v.InferOutput<typeof format>;
