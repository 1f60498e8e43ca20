/**
 * What happened in a session, ready to be written down. Its texts are as events have them: whoever writes them escapes
 * them.
 */
export interface SessionReport {
  readonly session: string;
  readonly facts: readonly Fact[];
  readonly timeline: Timeline;
  /** Only those with items. */
  readonly sections: readonly ReportSection[];
}

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export interface ReportSection {
  readonly title: string;
  readonly items: readonly ReportItem[];
  /** Entries of further items, which are not told of one by one. */
  readonly left: number;
}

export interface ReportItem {
  readonly title: string;
  readonly tone: Tone;
  readonly facts: readonly Fact[];
}

/** In the order of weight: a mark on the timeline has the last tone of what it stands for. */
export const tones = ['calm', 'asked', 'refused', 'alarm'] as const;
export type Tone = (typeof tones)[number];

export const lanes = ['session', 'files and commands', 'network', 'approvals', 'credentials', 'text', 'other'] as const;
export type Lane = (typeof lanes)[number];

export interface Timeline {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly marks: readonly Mark[];
}

/** One entry, or several that lie close together. */
export interface Mark {
  readonly lane: Lane;
  readonly tone: Tone;
  readonly at: number;
  readonly entries: number;
  /** Of the first of them. */
  readonly title: string;
}
