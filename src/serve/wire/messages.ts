import { constants } from 'node:os';
import * as v from 'valibot';
import { HoldfastError, isHoldfastError, type HoldfastErrorCode } from '../../errors/index.ts';
import { malformedFrame } from './frame.ts';

/** The version that both sides must speak. Another number means another protocol. */
export const serveVersion = 1;

const cells = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xff_ff));
/** In character cells. */
export const terminalSize = v.strictObject({ columns: cells, rows: cells });

export const signalSchema = v.custom<NodeJS.Signals>(
  (value) => typeof value === 'string' && Object.hasOwn(constants.signals, value),
  'not a signal of this system',
);

/** The first message of a client, on channel 0. */
export const clientHello = v.strictObject({ kind: v.literal('hello'), version: v.literal(serveVersion) });

/** A client's message about its running request. `leave`: the client stops watching, and the command continues. */
export const clientWord = v.variant('kind', [
  v.strictObject({ kind: v.literal('signal'), signal: signalSchema }),
  v.strictObject({ kind: v.literal('resize'), size: terminalSize }),
  v.strictObject({ kind: v.literal('leave') }),
]);
export type ClientWord = v.InferOutput<typeof clientWord>;

const wireError = v.object({ code: v.pipe(v.string(), v.startsWith('HF_')), message: v.string(), remedy: v.string() });

/** On channel 0 `hello` or `error`. On others any number of `note`, then one of the other kinds. */
export const serverWord = v.variant('kind', [
  v.object({ kind: v.literal('hello'), version: v.number(), process: v.number() }),
  v.object({ kind: v.literal('note'), note: v.unknown() }),
  v.object({ kind: v.literal('result'), result: v.unknown() }),
  v.object({ kind: v.literal('error'), error: wireError }),
]);
export type ServerWord = v.InferOutput<typeof serverWord>;

export function encodeJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Throws `HF_SERVE_PROTOCOL`. */
export function parseMessage(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    throw malformedFrame('a message that is not JSON');
  }
}

/** Throws `HF_SERVE_PROTOCOL`. */
export function readMessage<T extends v.GenericSchema>(schema: T, payload: Buffer): v.InferOutput<T> {
  const parsed = v.safeParse(schema, parseMessage(payload));
  if (parsed.success) return parsed.output;
  throw malformedFrame(`a message with ${v.getDotPath(parsed.issues[0]) ?? 'its kind'}: ${parsed.issues[0].message}`);
}

/** Returns an error in the form for the other side. Any other error is a fault of the server. */
export function errorMessage(error: unknown): ServerWord {
  const known = isHoldfastError(error)
    ? error
    : new HoldfastError(
        'HF_INTERNAL',
        `the server failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        { remedy: 'please report it' },
      );
  return { kind: 'error', error: { code: known.code, message: known.message, remedy: known.remedy } };
}

export function errorOf({ code, message, remedy }: v.InferOutput<typeof wireError>): HoldfastError {
  return new HoldfastError(code as HoldfastErrorCode, message, { remedy });
}
