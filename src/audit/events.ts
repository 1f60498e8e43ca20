import type { InferOutput } from 'valibot';
import type { Features } from '../policy/features/index.ts';
import type { EventSchemas } from '../policy/features/merge.ts';

/** The read-only form, without absent fields. */
type Written<Type> = Type extends object
  ? { readonly [Key in keyof Type]: Written<Exclude<Type[Key], undefined>> }
  : Type;

/**
 * An event that the journal can hold: the union of the features' events. New kinds may be added, and kinds only gain
 * fields.
 */
export type JournalEvent = Written<InferOutput<EventSchemas<Features>>>;

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { readonly type: Type }>;

export type SessionStartEvent = EventOf<'session.start'>;
export type SessionEndEvent = EventOf<'session.end'>;
export type RefusalEvent = EventOf<'refusal'>;
/** The first event of each kind about a credential of a session. Never holds a value, a hash or a length. */
export type CredentialEvent = EventOf<'credential'>;
/** A phantom, a secret or an unknown key where none belongs, which is a sign of exfiltration. */
export type AlarmEvent = EventOf<'alarm'>;
/** One request to a model server, once its answer has ended. */
export type ModelEvent = EventOf<'model'>;
export type ModelTokens = NonNullable<ModelEvent['tokens']>;
/** A finding in a request that a rule does not let leave unchanged. Never holds the found text. */
export type DlpEvent = EventOf<'dlp'>;
/** An approval of a repository's file, or its revocation. */
export type TrustDecidedEvent = EventOf<'trust.decided'>;
/** An event of the journal about itself. */
export type JournalOwnEvent = EventOf<`journal.${string}` & JournalEvent['type']>;
