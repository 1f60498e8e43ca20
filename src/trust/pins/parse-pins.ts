import * as v from 'valibot';
import { invalidFile, newerVersion } from '../store/failure.ts';
import { sha256Of, sha256Pattern } from '../store/layout.ts';
import type { Definition, ServerPins } from './types.ts';

const version = 1;
const definition = v.strictObject({ tool: v.string(), text: v.string(), sha256: v.pipe(v.string(), v.regex(sha256Pattern)) });
const pins = v.strictObject({ version: v.literal(version), server: v.string(), definitions: v.array(definition) });

/** Throws `HF_TRUST_INVALID` for what Holdfast did not write, and for a text that is not the one that was hashed. */
export function parsePins(path: string, bytes: Uint8Array): ServerPins {
  const value = parsed(path, bytes);
  if (typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number' && value.version > version) throw newerVersion(path);
  const { success, output } = v.safeParse(pins, value);
  if (!success) throw invalidFile(path, 'does not have the form of pinned tools');
  const other = output.definitions.find((each) => !isOwnHash(each));
  if (other !== undefined) throw invalidFile(path, `has another text of ${JSON.stringify(other.tool)} than was approved`);
  return { server: output.server, definitions: output.definitions };
}

export function pinsText({ server, definitions }: ServerPins): string {
  return `${JSON.stringify({ version, server, definitions }, undefined, 2)}\n`;
}

export function definitionOf(tool: string, text: string): Definition {
  return { tool, text, sha256: sha256Of(text) };
}

function isOwnHash({ text, sha256 }: Definition): boolean {
  return sha256Of(text) === sha256;
}

function parsed(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw invalidFile(path, 'is no JSON', cause);
  }
}
