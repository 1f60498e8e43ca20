import { type BoundaryName, type FileError, isHoldfastError, present } from '../../sandbox/index.ts';

/** Why a call failed, as a client gets it. */
export interface CallFailure {
  /** Of Holdfast (`HF_COMMAND_REFUSED`) or of the kernel (`EROFS`). */
  readonly code: string;
  readonly message: string;
  /** What can be done about it. */
  readonly remedy?: string;
  /** The rule that refused it, and where that stands. */
  readonly rule?: string;
}

/** What anything that was thrown says to a client; no stack, and nothing of a cause. */
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

/** A rule by its name and where it stands. */
export function rulePlace({
  rule,
  file,
  line,
}: {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
}): string {
  return `${rule}, ${line > 0 ? `${file}:${line}` : file}`;
}

function isFileError(error: unknown): error is FileError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/**
 * The same value with every text in it, keys among them, as a model may read it. The last thing that is done to
 * whatever a client gets.
 */
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

/** What was shown before keeps the marks of that: a second filter would take them for forged ones. */
function shownText(boundary: BoundaryName, text: string): string {
  return text
    .split(mark)
    .map((part) => present(boundary, part).text)
    .join(mark);
}

const mark = '⟦';
