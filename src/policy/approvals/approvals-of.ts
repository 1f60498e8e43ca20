import type { Policy } from '../policy.ts';
import type { Webhook } from './read-webhook.ts';

/** How questions of a session are asked. */
export interface ApprovalSettings {
  /** Milliseconds. */
  readonly timeout: number;
  readonly desktop: 'on' | 'off';
  /** Names of rules, and of lists whose every item is meant. */
  readonly totp: readonly string[];
  /** Each is told of every question, and the first that answers has answered. */
  readonly webhooks: readonly Webhook[];
}

/** Milliseconds. */
const usualTimeout = 60_000;

/**
 * What the layers say together: the shortest time-out, "off" before "on", a code wherever one of them wants one, every
 * webhook.
 */
export function approvalSettings({ layers }: Policy): ApprovalSettings {
  const settings = layers.flatMap(({ settings: { approvals } }) => approvals ?? []);
  const timeouts = settings.flatMap(({ timeout }) => timeout?.value ?? []);
  const desktops = settings.flatMap(({ desktop }) => desktop?.value ?? []);
  const webhooks = settings.flatMap(({ webhook }) => webhook?.value ?? []);
  return {
    timeout: timeouts.length === 0 ? usualTimeout : Math.min(...timeouts),
    desktop: desktops.length > 0 && !desktops.includes('off') ? 'on' : 'off',
    totp: [...new Set(settings.flatMap(({ totp }) => totp.map(({ value }) => value)))].toSorted(),
    webhooks: [...new Map(webhooks.map((webhook) => [JSON.stringify(webhook), webhook])).values()],
  };
}

/** Whether answers to what a rule asks need a code. `commands.ask` is every item of that list. */
export function needsCode({ totp }: Pick<ApprovalSettings, 'totp'>, rule: string): boolean {
  return totp.some((name) => rule === name || rule.startsWith(`${name}[`));
}
