/**
 * Messages between the supervisor and the program in the box. A frame is a length in four bytes, little-endian, then
 * JSON in UTF-8. Bytes are base64. A message of the box may come from a guest that has broken out of its engine. So
 * this file checks every field, and requests are decided outside the box.
 */
import * as v from 'valibot';
import { largestToolFrame, longestLogLine, toolsVersion } from './frames.ts';
import type { LoadedTool } from '../manifest/load-tool.ts';

/** A message from the supervisor. */
export type ToHost =
  | {
      readonly kind: 'load';
      readonly language: LoadedTool['language'];
      readonly name: string;
      readonly module: string;
      readonly entry: string;
      readonly limits: HostLimits;
      readonly config: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'run'; readonly input: string }
  | HostAnswer;

export interface HostLimits {
  /** Bytes. */
  readonly memory: number;
  /** Milliseconds. */
  readonly deadline: number;
  readonly fuel?: number;
}

/** The answer to a call that reaches outside. Each call has exactly one. */
export type HostAnswer =
  | { readonly kind: 'answer'; readonly value: AnswerValue }
  | { readonly kind: 'refused'; readonly message: string };
export interface AnswerValue {
  /** Base64. */
  readonly bytes: string;
  /** HTTP status, 100 to 599. */
  readonly status?: number;
  readonly contentType?: string;
  readonly finalUrl?: string;
}

const text = v.pipe(v.string(), v.maxLength(largestToolFrame));
const short = v.pipe(v.string(), v.maxLength(65_536));

/** A call of a tool that reaches outside. */
export const callSchema = v.variant('what', [
  v.strictObject({
    kind: v.literal('call'),
    what: v.literal('http'),
    url: short,
    method: short,
    headers: v.pipe(v.array(v.strictTuple([short, short])), v.maxLength(64)),
    body: v.optional(text),
  }),
  v.strictObject({ kind: v.literal('call'), what: v.literal('readFile'), path: short }),
  v.strictObject({ kind: v.literal('call'), what: v.literal('writeFile'), path: short, data: text }),
]);

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** Reasons that a call has no output. */
export const failureReasons = [
  'invalid',
  'threw',
  'trapped',
  'deadline',
  'fuel',
  'memory',
  'output',
  'refused',
] as const;

const otherSchemas = [
  v.strictObject({ kind: v.literal('ready'), version: v.literal(toolsVersion) }),
  v.strictObject({ kind: v.literal('loaded') }),
  v.strictObject({
    kind: v.literal('log'),
    level: v.picklist(logLevels),
    text: v.pipe(v.string(), v.maxLength(longestLogLine)),
  }),
  v.strictObject({ kind: v.literal('output'), data: text, afterwards: v.picklist(['stays', 'leaves']) }),
  v.strictObject({
    kind: v.literal('failed'),
    reason: v.picklist(failureReasons),
    message: v.pipe(v.string(), v.maxLength(4096)),
    afterwards: v.picklist(['stays', 'leaves']),
  }),
] as const;

/** A message from the program in the box. `afterwards: 'leaves'`: its engine is broken, and the program ends. */
export const fromHostSchema = v.union([v.variant('kind', otherSchemas), callSchema]);

export type FromHost = v.InferOutput<typeof fromHostSchema>;
export type HostCall = v.InferOutput<typeof callSchema>;
export type LogLevel = (typeof logLevels)[number];
export type FailureReason = (typeof failureReasons)[number];
