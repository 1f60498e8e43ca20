import type { GenericSchema, ObjectEntries } from 'valibot';
import type { DocumentFinding } from '../document/problem.ts';
import type { GuaranteeName } from '../guarantees.ts';
import type { LayerKind } from '../verdict.ts';
import type { PatternLanguage } from './pattern-language.ts';

/**
 * A feature's part of the policy language, the journal, the command line and doctor. It is data. The code is in the
 * feature's own rooms, and the data refers to it only by file name.
 *
 * Each is declared `as const satisfies Feature`, so that the types of the policy and of the journal follow from it.
 */
export interface Feature {
  /** Unique name. */
  readonly name: string;
  /** Keys at the top of a policy, in the order of the manual. */
  readonly policy?: ObjectEntries;
  /** Keys of `[limits]`. */
  readonly limits?: Readonly<Record<string, LimitRow>>;
  /** Single words of a policy on which layers must agree. Maps the name in a layer to the path in the document. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Pattern languages of a policy's texts by their path: `files.read`. A list of tables applies to each of its tables.
   */
  readonly patterns?: Readonly<Record<string, PatternLanguage>>;
  /** Checks of the keys that the schema cannot express. Both take their part of a policy: `PolicyPart`. */
  readonly findings?: (value: never) => readonly DocumentFinding[];
  /** Statements that a policy's layer may not make. */
  readonly placed?: (value: never, layer: LayerKind) => readonly DocumentFinding[];
  /** Journal events of the feature; `event` makes each. */
  readonly events?: readonly EventSchema[];
  readonly commands?: readonly CommandRow[];
  /** Attempts to break the feature's promises, for `holdfast doctor --prove`. */
  readonly proofs?: readonly EscapeProof[];
}

export interface EventSchema extends GenericSchema {
  readonly entries: { readonly type: { readonly literal: string } };
}

/** A key of `[limits]`. */
export interface LimitRow {
  readonly entry: GenericSchema;
  /** The value's notation. `amount`: bytes, or a share of the machine. */
  readonly quantity: 'amount' | 'bytes' | 'duration' | 'number';
  /** Subject of the bytes, if they cannot be a share of the machine. */
  readonly of?: string;
}

export interface CommandRow {
  readonly name: string;
  /** File below `src/cli`. The row does not load it. */
  readonly module: string;
  readonly export: string;
  readonly summary: string;
  /** The section of `holdfast help`. */
  readonly section: CommandSection;
}

/** Sections in the order of `holdfast help all`. Within a section, commands follow the order of the features. */
export const commandSections = ['run', 'review', 'policy', 'keys', 'record', 'agents', 'machine'] as const;

export type CommandSection = (typeof commandSections)[number];

/**
 * One escape attempt. `attempt` runs under `sh` in the workspace, first outside as the control, then in a box. It
 * escapes if it exits with 0. An attempt of `fs.stage` escapes if the host's workspace then has a file `staged`. It
 * gets the variables OUTSIDE, SOCKET, ABSTRACT, PORT, VICTIM, SHARED and NODE.
 */
export interface EscapeProof {
  readonly guarantee: GuaranteeName;
  readonly title: string;
  readonly attempt: string;
  /** Hosts that the box may reach in this attempt. Default: none, a closed network. */
  readonly hosts?: readonly string[];
  /** Policy of the project in this attempt. Default: none. */
  readonly project?: string;
}
