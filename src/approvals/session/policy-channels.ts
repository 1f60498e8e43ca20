import process from 'node:process';
import { extractSecret } from '../../credentials/delivery/is-for.ts';
import { keepOutOfCoreDumps } from '../../credentials/sources/keep-out-of-core-dumps.ts';
import { createSecretStore } from '../../credentials/sources/secret-store.ts';
import type { SecretStore } from '../../credentials/types.ts';
import { hostRoots } from '../../egress/tls/host-trust.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { ApprovalSettings } from '../../policy/approvals/approvals-of.ts';
import type { Webhook } from '../../policy/approvals/read-webhook.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { desktopChannel, runNotifier } from '../desktop/desktop-channel.ts';
import { type ApprovalQueue, systemClock } from '../index.ts';
import { webhookChannel } from '../webhook/webhook-channel.ts';

export interface PolicyChannelOptions {
  /** Neither the notifier nor the program of a secret source may be in a path that a box could write. */
  readonly writableRoots: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: ApprovalSettings;
}

/** Starts the channels that the policy names. The returned function ends them. */
export function policyChannels(queue: ApprovalQueue, options: PolicyChannelOptions): () => void {
  const { environment, settings, writableRoots } = options;
  const context = { environment, writableRoots };
  const ends: (() => void)[] = [];
  if (settings.desktop === 'on')
    ends.push(
      desktopChannel(queue, {
        clock: systemClock,
        platform: process.platform,
        show: (command) => runNotifier(command, context),
        tell,
      }),
    );
  if (settings.webhooks.length > 0) {
    keepOutOfCoreDumps();
    const store = createSecretStore({ ...context, extract: extractSecret });
    const authorities = hostRoots(environment);
    ends.push(
      ...settings.webhooks.map((webhook) =>
        webhookChannel(queue, {
          url: webhook.url,
          secret: () => secretOf(store, webhook),
          clock: systemClock,
          tell,
          authorities,
        }),
      ),
      () => store.close(),
    );
  }
  return () => {
    for (const end of ends) end();
  };
}

async function secretOf(store: SecretStore, webhook: Webhook): Promise<string> {
  const read = await store.read(asCredential(webhook));
  if (read.kind === 'secret') return read.secret.value;
  throw new HoldfastError('HF_CREDENTIAL_FILE', read.message, { remedy: read.remedy });
}

/** The store reads secrets of credentials. This credential is bound to no host and delivered to no box. */
function asCredential({ url, secret }: Webhook): Credential {
  return {
    name: `webhook of ${new URL(url).host}`,
    source: secret,
    binding: { hosts: [], transport: 'tls' },
    injection: { kind: 'bearer' },
    delivery: { environment: [], files: [], baseUrls: [] },
    use: 'phantom',
    origin: { rule: 'approvals.webhook', layer: 'user', file: 'policy', line: 0 },
  };
}

function tell(message: string): void {
  process.stderr.write(`holdfast: ${escapeHidden(message)}\n`);
}
