import type { InferOutput } from 'valibot';
import type { DeepReadonly } from './policy-part.ts';
import type { policySchema } from './schema.ts';

/** A policy file as data, once the schema has accepted it. */
export type PolicyValue = DeepReadonly<InferOutput<typeof policySchema>>;

/** A policy file with the lines of its parts. */
export interface PolicyDocument {
  /** The path shown in verdicts and problems. */
  readonly file: string;
  readonly value: PolicyValue;
  /** Line, from 1, of each key, item and table by its path: `files.read[0]`, `exec[2].name`. */
  readonly lines: ReadonlyMap<string, number>;
}

export type Proposal = NonNullable<PolicyValue['propose']>[number];

/** Grants of a document, which widen a base layer. */
export interface DocumentGrants {
  readonly files?: PolicyValue['files'];
  readonly network?: NetworkGrants | undefined;
  readonly sockets?: PolicyValue['sockets'];
  readonly environment?: PolicyValue['environment'];
}

/** Names of presets may come from a flag. Unknown names are refused when the layer is compiled. */
export interface NetworkGrants {
  readonly hosts?: readonly string[] | undefined;
  readonly presets?: readonly string[] | undefined;
  /** `8080`, or `"3000:8080"` for port 8080 of the box on port 3000 of the host. */
  readonly forward?: readonly (number | string)[] | undefined;
}

/** Returns the line of a path in a document, or of the nearest part around it. 0 if unknown. */
export function lineOf(document: Pick<PolicyDocument, 'lines'>, path: string): number {
  for (let end = path.length; end > 0; end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))) {
    const line = document.lines.get(path.slice(0, end));
    if (line !== undefined) return line;
  }
  return 0;
}
