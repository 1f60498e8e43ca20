import { type BoundaryName, type FileError, isHoldfastError, present } from '../../sandbox/index.ts';
import { originPlace } from '../../policy/origin.ts';

/** The reason of a failed call, in the client's form. */
export interface CallFailure {
  /** Code of Holdfast (`HF_COMMAND_REFUSED`) or of the kernel (`EROFS`). */
  readonly code: string;
  readonly message: string;
  /** The remedy. */
  readonly remedy?: string;
  /** The refusing rule, and its place. */
  readonly rule?: string;
}

/** Returns any thrown value in the client's form, without a stack or a cause. */
export function failureOf(error: unknown): CallFailure {
  if (isHoldfastError(error)) return { code: error.code, message: error.message, remedy: error.remedy };
  if (isFileError(error)) return { code: error.code, message: error.message, ...refusalOf(error) };
  return { code: 'HF_INTERNAL', message: error instanceof Error ? error.message : 'the call failed' };
}

export function failureText({ code, message, remedy, rule }: CallFailure): string {
  return `${message}${rule === undefined ? '' : ` (${rule})`}${remedy === undefined ? '' : `; ${remedy}`} [${code}]`;
}

function refusalOf({ refusal, remedy }: FileError): Pick<CallFailure, 'remedy' | 'rule'> {
  return {
    ...(remedy === undefined ? {} : { remedy }),
    ...(refusal === undefined ? {} : { rule: rulePlace(refusal.verdict) }),
  };
}

/** Returns a rule's name and its place. */
export function rulePlace({
  rule,
  file,
  line,
}: {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
}): string {
  return `${rule}, ${originPlace({ file, line })}`;
}

function isFileError(error: unknown): error is FileError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/** Returns a value with all its texts and keys in a form for a model. The last step before a client gets anything. */
export function shownToModel<Value>(
  boundary: Extract<BoundaryName, 'tool-result' | 'tool-description'>,
  value: Value,
): Value {
  return shownValue(boundary, value) as Value;
}

function shownValue(boundary: BoundaryName, value: unknown): unknown {
  if (typeof value === 'string') return shownText(boundary, value);
  if (Array.isArray(value)) return value.map((item) => shownValue(boundary, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [shownText(boundary, key), shownValue(boundary, item)]),
  );
}

/** Keeps marks of an earlier filter, because a second filter would treat them as forgeries. */
function shownText(boundary: BoundaryName, text: string): string {
  return text
    .split(mark)
    .map((part) => present(boundary, part).text)
    .join(mark);
}

const mark = '⟦';
