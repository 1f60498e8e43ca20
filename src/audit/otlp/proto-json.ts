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
      readonly scopeSpans: readonly [{ readonly scope: Scope; readonly spans: readonly Span[] }];
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
  /** Absent for what belongs to no session. */
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface Span {
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

/** Milliseconds since the epoch as nanoseconds. */
export function nanoseconds(time: number): string {
  return String(BigInt(Math.max(0, Math.trunc(time))) * 1_000_000n);
}
