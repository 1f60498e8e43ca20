/** The words of a command, apart from how they were spelled. */
export interface CanonicalCommand {
  readonly options: readonly CanonicalOption[];
  /** Words of subcommands included. */
  readonly operands: readonly string[];
  /** Whether every word is known to be what it is read as. */
  readonly understood: boolean;
}

export interface CanonicalOption {
  /** Every spelling; of an abbreviation every option that it may stand for. */
  readonly names: readonly string[];
  readonly value?: string;
}

/** Reads `argv`, `argv[0]` included, as words of a program by its bare name. Total. */
export type Canonicalise = (name: string, argv: readonly string[]) => CanonicalCommand;
