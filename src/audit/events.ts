import type { InferOutput } from 'valibot';
import type { Features } from '../policy/features/index.ts';
import type { EventSchemas } from '../policy/features/merge.ts';

/** As the journal has it: nobody changes it, and what is absent is not there. */
type Written<Type> = Type extends object
  ? { readonly [Key in keyof Type]: Written<Exclude<Type[Key], undefined>> }
  : Type;

/**
 * What the journal can hold: what the features write into it. New kinds may be added; the fields of a kind only grow.
 */
export type JournalEvent = Written<InferOutput<EventSchemas<Features>>>;

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { readonly type: Type }>;

export type SessionStartEvent = EventOf<'session.start'>;
export type SessionEndEvent = EventOf<'session.end'>;
export type RefusalEvent = EventOf<'refusal'>;
/** What happened to a credential of a session, the first time that it did. Never a value, a hash or a length. */
export type CredentialEvent = EventOf<'credential'>;
/** A phantom, a secret or a foreign key where it has no business: what an exfiltration looks like. */
export type AlarmEvent = EventOf<'alarm'>;
/** One request to a server of models, when its answer has ended. */
export type ModelEvent = EventOf<'model'>;
export type ModelTokens = NonNullable<ModelEvent['tokens']>;
/** Something was found in a request that a rule keeps from leaving as it is. Never what was found. */
export type DlpEvent = EventOf<'dlp'>;
/** What a repository brings was approved, or an approval was taken back. */
export type TrustDecidedEvent = EventOf<'trust.decided'>;
/** What the journal says about itself. */
export type JournalOwnEvent = EventOf<`journal.${string}` & JournalEvent['type']>;
