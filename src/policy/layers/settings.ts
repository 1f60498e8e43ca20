import type { Origin } from '../origin.ts';
import type { Webhook } from '../approvals/read-webhook.ts';
import type { PolicyDocument, PolicyValue } from '../document/types.ts';
import type { Features } from '../features/index.ts';
import type { LimitRows, SettingPlaces } from '../features/merge.ts';
import type { LlmLayer } from '../llm/document-llm.ts';
import type { McpLayer } from '../mcp/types.ts';
import type { Amount } from './quantities.ts';
import type { GuaranteeName } from '../guarantees.ts';

/** A value with its origin. */
export interface Setting<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** The name of a limit in settings: `cpuTime` for the document's `cpu_time`. */
export type CamelCase<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Key;

interface Read {
  readonly amount: Amount;
  /** Bytes. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly number: number;
}

type Rows = LimitRows<Features>;

/** An absent limit is not set by the layer. */
export type LimitSettings = { readonly [Key in keyof Rows as CamelCase<Key>]?: Setting<Read[Rows[Key]['quantity']]> };

type ValueAt<Value, Place extends string> = Place extends `${infer Key}.${infer Rest}`
  ? ValueAt<NonNullable<Value[Key & keyof Value]>, Rest>
  : NonNullable<Value[Place & keyof Value]>;
type Places = SettingPlaces<Features>;

/** Single words. Absent if a layer says nothing. */
export type WordSettings = { readonly [Name in keyof Places]?: Setting<ValueAt<PolicyValue, Places[Name]>> };

/** A layer's settings for approvals. */
export interface ApprovalLayerSettings {
  /** Milliseconds. */
  readonly timeout?: Setting<number>;
  readonly desktop?: Setting<'on' | 'off'>;
  readonly totp: readonly Setting<string>[];
  readonly webhook?: Setting<Webhook>;
}

/** A layer's settings, without its decisions. */
export interface LayerSettings extends WordSettings {
  readonly limits: LimitSettings;
  readonly variables: readonly { readonly name: string; readonly value: string; readonly origin: Origin }[];
  readonly requirements: readonly Setting<GuaranteeName>[];
  readonly approvals?: ApprovalLayerSettings;
  readonly llm?: LlmLayer & { readonly origin: Origin } & Pick<PolicyDocument, 'lines'>;
  readonly mcp?: McpLayer;
}
