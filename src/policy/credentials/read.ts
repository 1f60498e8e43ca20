import type { DocumentFinding } from '../document/problem.ts';

/** A value that was read, or all its problems. */
export type Read<Value> = { readonly kind: 'read'; readonly value: Value } | Wrong;

export interface Wrong {
  readonly kind: 'wrong';
  readonly findings: readonly DocumentFinding[];
}

export function read<Value>(value: Value): Read<Value> {
  return { kind: 'read', value };
}

export function wrong(at: string, message: string, remedy: string): Wrong {
  return { kind: 'wrong', findings: [{ at, message, remedy }] };
}

/** Joins several problems into one. Undefined for an empty list. */
export function joinedWrongs(problems: readonly Wrong[]): Wrong | undefined {
  return problems.length === 0 ? undefined : { kind: 'wrong', findings: problems.flatMap(({ findings }) => findings) };
}

export function findingsOf(result: Read<unknown>): readonly DocumentFinding[] {
  return result.kind === 'wrong' ? result.findings : [];
}

/** Returns all values, or the problems of all invalid ones. */
export function readAll<Value>(results: readonly Read<Value>[]): Read<readonly Value[]> {
  const findings = results.flatMap(findingsOf);
  return findings.length > 0
    ? { kind: 'wrong', findings }
    : read(results.flatMap((result) => (result.kind === 'read' ? [result.value] : [])));
}

/** Like `readAll`, for named parts. */
export function readParts<Parts extends object>(
  parts: { readonly [Key in keyof Parts]: Read<Parts[Key]> },
): Read<Parts> {
  const entries = Object.entries(parts) as readonly (readonly [string, Read<unknown>])[];
  const findings = entries.flatMap(([, result]) => findingsOf(result));
  if (findings.length > 0) return { kind: 'wrong', findings };
  return read(
    Object.fromEntries(
      entries.flatMap(([key, result]) => (result.kind === 'read' ? [[key, result.value]] : [])),
    ) as Parts,
  );
}
