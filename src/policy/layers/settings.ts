import type { Origin } from '../origin.ts';
import type { Webhook } from '../approvals/read-webhook.ts';
import type { PolicyDocument } from '../document/types.ts';
import type { LlmLayer } from '../llm/document-llm.ts';
import type { McpLayer } from '../mcp/types.ts';
import type { Amount } from './quantities.ts';
import type { GuaranteeName } from '../guarantees.ts';
import type { BackendChoice, Minimum } from '../settings/levels.ts';

/** A value with where it comes from. */
export interface Setting<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** Absent means that the layer sets no limit. */
export interface LimitSettings {
  readonly memory?: Setting<Amount>;
  readonly processes?: Setting<number>;
  /** Cores. */
  readonly cpus?: Setting<number>;
  /** Milliseconds. */
  readonly cpuTime?: Setting<number>;
  /** Bytes. */
  readonly fileSize?: Setting<number>;
  readonly openFiles?: Setting<number>;
  readonly tmp?: Setting<Amount>;
  /** Bytes. */
  readonly staged?: Setting<number>;
  /** Bytes. */
  readonly trash?: Setting<number>;
  /** Milliseconds. */
  readonly trashAge?: Setting<number>;
  /** Milliseconds. */
  readonly wall?: Setting<number>;
}

/** What a layer says about how questions are asked. */
export interface ApprovalLayerSettings {
  /** Milliseconds. */
  readonly timeout?: Setting<number>;
  readonly desktop?: Setting<'on' | 'off'>;
  readonly totp: readonly Setting<string>[];
  readonly webhook?: Setting<Webhook>;
}

/** What a layer says apart from decisions. */
export interface LayerSettings {
  readonly limits: LimitSettings;
  readonly variables: readonly { readonly name: string; readonly value: string; readonly origin: Origin }[];
  readonly requirements: readonly Setting<GuaranteeName>[];
  readonly backend?: Setting<BackendChoice>;
  readonly minimum?: Setting<Minimum>;
  readonly ptrace?: Setting<'allow' | 'deny'>;
  readonly dns?: Setting<'fake' | 'real'>;
  readonly watch?: Setting<'every-host' | 'bound-hosts'>;
  readonly unknownCommands?: Setting<'ask' | 'allow' | 'deny'>;
  readonly gitCommands?: Setting<'neutral' | 'as-is'>;
  readonly newProtected?: Setting<'refuse' | 'quarantine'>;
  readonly resident?: Setting<'auto' | 'never'>;
  readonly approvals?: ApprovalLayerSettings;
  readonly llm?: LlmLayer & { readonly origin: Origin } & Pick<PolicyDocument, 'lines'>;
  readonly mcp?: McpLayer;
}
