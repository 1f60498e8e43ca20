import type { DlpEvent, ModelEvent } from '../../audit/index.ts';
import type { FakeMap } from '../../dlp/types.ts';
import type { Destination } from '../../egress/types.ts';
import type { DlpRule, LlmSettings } from '../../policy/llm/types.ts';
import type { Dialect, ModelCall } from '../index.ts';
import type { ContentRules } from './content-rules.ts';
import type { KeptCall } from './log/kept-call.ts';
import type { Spending } from './spending.ts';

/** What the session adds to every event. */
export type OwnFields<Event> = Event extends unknown ? Omit<Event, 'session' | 'workspace'> : never;

/** What the gateway of one session works with. */
export interface Gateway {
  /** As the policy is now; undefined while it is invalid, when nothing passes anyway. */
  settings(): LlmSettings | undefined;
  readonly spending: Spending;
  readonly fakes: FakeMap;
  /** Ready to look for what rules and secrets of the session say; undefined where nothing is looked for. */
  rulesFor(rules: readonly DlpRule[]): ContentRules | undefined;
  /** Whether a URL in an answer leads where the box may go. */
  allows(url: string): boolean;
  /** A text of a model without anything that a rule finds: what the journal may hold. */
  hide(text: string): string;
  /** What is blocked is on the disk before this returns. */
  record(event: OwnFields<ModelEvent> | OwnFields<DlpEvent>): void;
  /** Keeps the texts of a call, where the policy says so. */
  keep?(call: LookedCall): KeptCall | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One request that is looked into. */
export interface CallLook {
  readonly gateway: Gateway;
  readonly settings: LlmSettings;
  readonly destination: Destination;
  /** Without its query. */
  readonly path: string;
}

export interface LookedCall extends CallLook {
  readonly rules: readonly DlpRule[];
  readonly call: ModelCall;
  readonly dialect: Dialect;
}

/** What is known of a call so far. */
export interface CallState extends LookedCall {
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly agent: string | undefined;
  /** Absent where no texts are kept. */
  readonly kept?: KeptCall | undefined;
}
