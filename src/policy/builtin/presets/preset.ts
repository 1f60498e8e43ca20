/** A named set of hosts that people would otherwise have to look up: what one tool needs to reach, and nothing else. */
export interface Preset {
  /** What the set is for, in a few words. */
  readonly purpose: string;
  /** Where the hosts are documented. */
  readonly sources: readonly string[];
  readonly hosts: readonly PresetHost[];
}

export interface PresetHost {
  /** A host pattern with its port: a preset opens no more than the tool uses. Never an address, a network or `any`. */
  readonly pattern: string;
  /** What the tool does there. */
  readonly reason: string;
}
