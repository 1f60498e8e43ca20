import type { GenericSchema, ObjectEntries } from 'valibot';
import type { DocumentFinding } from '../document/problem.ts';
import type { GuaranteeName } from '../guarantees.ts';
import type { LayerKind } from '../verdict.ts';
import type { PatternLanguage } from './pattern-language.ts';

/**
 * What a feature brings to the places that know all features: the policy language, the journal, the command line and
 * doctor. It is data: what does the work is in the feature's own rooms, and is named here by its file at most.
 *
 * Each is declared `as const satisfies Feature`, so that the types of the policy and of the journal follow from it.
 */
export interface Feature {
  /** Unique. */
  readonly name: string;
  /** Keys at the top of a policy, in the order in which they are told. */
  readonly policy?: ObjectEntries;
  /** Keys of `[limits]`. */
  readonly limits?: Readonly<Record<string, LimitRow>>;
  /**
   * Single words of a policy that layers settle among each other: the name under which a layer has each, and its place
   * in the document.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Which language the texts of a policy are written in, by their place: `files.read`. A list of tables is entered at
   * each of its tables.
   */
  readonly patterns?: Readonly<Record<string, PatternLanguage>>;
  /** What the schema cannot say about its keys. Both take the part of a policy that they look at: `PolicyPart`. */
  readonly findings?: (value: never) => readonly DocumentFinding[];
  /** What a policy may not say because of the layer that it is for. */
  readonly placed?: (value: never, layer: LayerKind) => readonly DocumentFinding[];
  /** What it writes into the journal: `event` makes each. */
  readonly events?: readonly EventSchema[];
  readonly commands?: readonly CommandRow[];
  /** Attempts to escape from what it promises, for `holdfast doctor --prove`. */
  readonly proofs?: readonly EscapeProof[];
}

export interface EventSchema extends GenericSchema {
  readonly entries: { readonly type: { readonly literal: string } };
}

/** A key of `[limits]`. */
export interface LimitRow {
  readonly entry: GenericSchema;
  /** How it is written and read. `amount`: bytes, or a share of the machine. */
  readonly quantity: 'amount' | 'bytes' | 'duration' | 'number';
  /** What the bytes are of, where there is no machine to have a share of. */
  readonly of?: string;
}

export interface CommandRow {
  readonly name: string;
  /** File below `src/cli`. Nothing of it is loaded by its row. */
  readonly module: string;
  readonly export: string;
  readonly summary: string;
  /** Where `holdfast help` has it. */
  readonly section: CommandSection;
}

/** In the order of `holdfast help all`. Within a section commands stand as the features do. */
export const commandSections = ['run', 'review', 'policy', 'keys', 'record', 'agents', 'machine'] as const;

export type CommandSection = (typeof commandSections)[number];

/**
 * One escape attempt. `attempt` runs under `sh` in the workspace, first outside as the control, then in a box. It
 * escapes if it exits with 0. An attempt of `fs.stage` escapes if the host's workspace then has a file `staged`. The
 * variables OUTSIDE, SOCKET, ABSTRACT, PORT, VICTIM, SHARED and NODE are set for it.
 */
export interface EscapeProof {
  readonly guarantee: GuaranteeName;
  readonly title: string;
  readonly attempt: string;
  /** Hosts that the box may reach in this attempt. Default: none, a closed network. */
  readonly hosts?: readonly string[];
}
