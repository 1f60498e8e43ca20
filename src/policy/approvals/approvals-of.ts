import type { Policy } from '../policy.ts';
import type { Webhook } from './read-webhook.ts';

/** Settings for the approvals of a session. */
export interface ApprovalSettings {
  /** Milliseconds. */
  readonly timeout: number;
  readonly desktop: 'on' | 'off';
  /** Names of rules, and of lists, which apply to each of their items. */
  readonly totp: readonly string[];
  /** Each webhook gets every question; the first answer counts. */
  readonly webhooks: readonly Webhook[];
}

/** Milliseconds. */
const usualTimeout = 60_000;

/**
 * Combines the layers: the shortest time-out, "off" before "on", a code if any layer requires one, and every webhook.
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

/** Whether answers to a rule's questions need a code. `commands.ask` covers every item of that list. */
export function needsCode({ totp }: Pick<ApprovalSettings, 'totp'>, rule: string): boolean {
  return totp.some((name) => rule === name || rule.startsWith(`${name}[`));
}
