import { sha256 } from './sha256.ts';

/** `prev` of the first entry. */
export const genesis = '0'.repeat(64);

/** SHA-256 over the previous hash and the entry's JSON without its own hash, both as written in the file. */
export function chainHash(previous: string, body: string, hash: (text: string) => string = sha256): string {
  return hash(`${previous}\n${body}`);
}

const hashField = /,"hash":"([0-9a-f]{64})"\}$/u;

/** Splits a line into the JSON that was hashed and the hash; undefined for a line that is no entry. */
export function splitLine(line: string): { readonly body: string; readonly hash: string } | undefined {
  const match = hashField.exec(line);
  return match?.[1] === undefined ? undefined : { body: `${line.slice(0, match.index)}}`, hash: match[1] };
}

export function joinLine(body: string, hash: string): string {
  return `${body.slice(0, -1)},"hash":"${hash}"}\n`;
}

/** The fields of an entry, whatever they are worth; undefined for what is no JSON object. */
export function parseBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
