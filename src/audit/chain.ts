/** `prev` of the first entry. */
export const genesis = '0'.repeat(64);

/** Format that entries are written in. Version 1 was chained with SHA-256 and without a key. */
export const currentVersion = 2;

/** A line of the journal, taken apart. */
export interface EntryLine {
  readonly v: 1 | 2;
  /** The entry's JSON without what holds it in the chain. */
  readonly body: string;
  readonly mac: string;
}

const macFields = [
  { v: 2, pattern: /,"mac":"([0-9a-f]{64})"\}$/u },
  { v: 1, pattern: /,"hash":"([0-9a-f]{64})"\}$/u },
] as const;

/** Undefined for a line that is no entry, or one of a version that is not known yet. */
export function splitLine(line: string): EntryLine | undefined {
  for (const { v, pattern } of macFields) {
    const match = pattern.exec(line);
    if (match?.[1] !== undefined) return { v, body: `${line.slice(0, match.index)}}`, mac: match[1] };
  }
  return undefined;
}

/**
 * What is authenticated: in version 2 the line as it stands, up to the field `mac`, which holds the one before as
 * `prev`.
 */
export function signedText({ v, body }: EntryLine, prev: string): string {
  return v === 1 ? `${prev}\n${body}` : body.slice(0, -1);
}

/** What a newer Holdfast wrote, as the version it says; undefined for anything else. */
export function newerVersion(line: string): number | undefined {
  const version = Number(/^\{"v":(\d{1,9}),/u.exec(line)?.[1]);
  return version > currentVersion ? version : undefined;
}

/** The fields of an entry, whatever they are worth; undefined for what is no JSON object. */
export function parseBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
