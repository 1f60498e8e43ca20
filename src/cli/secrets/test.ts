import { type SecretTest, testSecret } from '../../sandbox/credentials/secrets/user-secrets.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { secretsPlace } from './secrets-place.ts';

/** `holdfast secrets test NAME`: 0 when the secret could be read, 1 when it could not. */
export async function testSecretCommand(input: CommandInput, name: string): Promise<number> {
  const tested = await testSecret(secretsPlace(input), name);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText({ name, ...tested }) : safeText(linesOf(name, tested)));
  return tested.kind === 'readable' ? 0 : 1;
}

function linesOf(name: string, tested: SecretTest): string {
  if (tested.kind === 'unavailable') return `${tested.message}\n  ${tested.remedy}\n`;
  const { expires, notices } = tested;
  const until = expires === undefined ? '' : `, and expires at ${new Date(expires).toISOString().slice(0, 19)}Z`;
  return [`${name} can be read${until}`, ...notices.map((notice) => `  ${notice}`), ''].join('\n');
}
