/**
 * Messages of OTLP 1.9 in their JSON encoding: lower camel case, 64-bit integers as decimal texts, enumerations as
 * numbers, IDs in hexadecimal. See https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and the messages at
 * https://github.com/open-telemetry/opentelemetry-proto/tree/v1.9.0/opentelemetry/proto
 */
export interface LogsRequest {
  readonly resourceLogs: readonly [
    {
      readonly resource: Resource;
      readonly scopeLogs: readonly [{ readonly scope: Scope; readonly logRecords: readonly LogRecord[] }];
    },
  ];
}

export interface TracesRequest {
  readonly resourceSpans: readonly [
    {
      readonly resource: Resource;
      readonly scopeSpans: readonly [{ readonly scope: Scope; readonly spans: readonly OtlpSpan[] }];
    },
  ];
}

export interface Resource {
  readonly attributes: readonly KeyValue[];
}

interface Scope {
  readonly name: string;
}

export interface LogRecord {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  /** 9 INFO, 13 WARN, 17 ERROR. */
  readonly severityNumber: 9 | 13 | 17;
  readonly severityText: 'INFO' | 'WARN' | 'ERROR';
  readonly eventName: string;
  readonly body: AnyValue;
  readonly attributes: readonly KeyValue[];
  /** Undefined for an entry without a session. */
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** SPAN_KIND_INTERNAL. */
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  /** STATUS_CODE_UNSET or STATUS_CODE_ERROR. */
  readonly status: { readonly code: 0 } | { readonly code: 2; readonly message: string };
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

export const scope: Scope = { name: 'holdfast.audit' };

/** Converts milliseconds since the epoch to nanoseconds. */
export function nanoseconds(time: number): string {
  return String(BigInt(Math.max(0, Math.trunc(time))) * 1_000_000n);
}

/** Default limit of SDKs: https://opentelemetry.io/docs/specs/otel/common/#configurable-parameters */
const mostAttributes = 128;
const longestText = 8192;
const mostElements = 100;
const deepest = 8;

/**
 * Returns fields as attributes with dotted names: `{ request: { path } }` becomes `holdfast.request.path`. Number,
 * depth and length are bounded, because a box chooses some of these texts.
 */
export function otlpAttributes(prefix: string, fields: Readonly<Record<string, unknown>>): readonly KeyValue[] {
  const attributes: KeyValue[] = [];
  flatten({ prefix, depth: deepest, attributes }, fields);
  return attributes;
}

interface Flattening {
  readonly prefix: string;
  readonly depth: number;
  readonly attributes: KeyValue[];
}

function flatten({ prefix, depth, attributes }: Flattening, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (attributes.length >= mostAttributes) return;
    const key = `${prefix}.${name.toWellFormed()}`;
    const scalar = otlpValue(value);
    if (scalar !== undefined) attributes.push({ key, value: scalar });
    else if (typeof value === 'object' && value !== null && depth > 0)
      flatten({ prefix: key, depth: depth - 1, attributes }, value as Readonly<Record<string, unknown>>);
  }
}

/** Undefined for a value that has parts. */
export function otlpValue(value: unknown): AnyValue | undefined {
  switch (typeof value) {
    case 'string':
      return { stringValue: (value.length > longestText ? `${value.slice(0, longestText)}…` : value).toWellFormed() };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      if (Number.isSafeInteger(value)) return { intValue: String(value) };
      // JSON can read 1e999, but cannot write the result.
      return Number.isFinite(value) ? { doubleValue: value } : { stringValue: String(value) };
    default:
      return Array.isArray(value) ? arrayOf(value) : undefined;
  }
}

function arrayOf(values: readonly unknown[]): AnyValue | undefined {
  const scalars = values
    .slice(0, mostElements)
    .flatMap((value) => (Array.isArray(value) ? [] : (otlpValue(value) ?? [])));
  return scalars.length === Math.min(values.length, mostElements) ? { arrayValue: { values: scalars } } : undefined;
}
