import { HoldfastError } from '../errors/index.ts';
import type { FetchResult, FetchedText } from '../egress/fetch/types.ts';
import { openSession } from '../session/session.ts';
import { describeFindings } from '../text/describe-findings.ts';
import { boxOptions } from './box-options.ts';
import { boxOptionsUsage } from './run-usage.ts';
import { type Command, type CommandInput, isSet, jsonLine, safeText, optionText, optionTexts } from './command.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast fetch [OPTIONS] URL

Fetches URL within the policy. Holdfast decides about the name before it looks it up, vets every address and redirect,
limits size and time, and turns a page into text. Exits with 0 for an answer below 400, 1 for an error of the server,
3 for a refusal, 125 for an invalid policy.

  --method NAME       default GET
  --header 'N: V'     send this header to the origin of URL only (repeatable)
  --data TEXT         send TEXT as the body of the request
  --max-bytes N       limit the content; default 5242880
  --timeout MS        limit the whole fetch; default 30000
  --max-redirects N   default 5
  --source            print HTML unchanged
  --keep-hidden       keep invisible characters and escape sequences
  --json              print one JSON object: status, finalUrl, contentType, text, truncated, redirects
${boxOptionsUsage}`;

export const fetchCommand: Command = {
  name: 'fetch',
  usage,
  options: {
    ...boxOptions,
    method: { type: 'string' },
    header: { type: 'string', multiple: true },
    data: { type: 'string' },
    'max-bytes': { type: 'string' },
    timeout: { type: 'string' },
    'max-redirects': { type: 'string' },
    source: { type: 'boolean' },
    'keep-hidden': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  run: fetchIt,
};

const exits = { ok: 0, serverError: 1, refused: 3 } as const;

async function fetchIt(input: CommandInput): Promise<number> {
  const { values, positionals, io } = input;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new HoldfastError('HF_USAGE', `expected one URL, got ${positionals.length}`, {
      remedy: 'write `holdfast fetch https://example.com/`',
    });
  const session = await openSession({ ...profiledSession(input), whenStrict: 'starts-nothing' });
  const egress = await session.network.egress();
  const data = optionText(values['data']);
  const result = await egress
    .fetch(url, {
      method: optionText(values['method']) ?? (data === undefined ? 'GET' : 'POST'),
      headers: headersOf(optionTexts(values['header'])),
      ...(data === undefined ? {} : { body: data }),
      ...numberOption(values, 'max-bytes', 'maxBytes'),
      ...numberOption(values, 'timeout', 'timeout'),
      ...numberOption(values, 'max-redirects', 'maxRedirects'),
      html: isSet(values['source']) ? 'source' : 'text',
      hidden: isSet(values['keep-hidden']) ? 'keep' : 'reveal',
    })
    .finally(() => session.approvals.close());
  print(result, isSet(values['json']), io);
  if (result.kind === 'refused') return exits.refused;
  return result.status < 400 ? exits.ok : exits.serverError;
}

function print(result: FetchResult, json: boolean, { stdout, stderr }: CommandInput['io']): void {
  if (json) return void stdout.write(jsonLine(jsonOf(result)));
  if (result.kind === 'refused')
    return void stderr.write(`${safeText(`holdfast: ${result.refusal.message}; ${result.refusal.remedy}`)}\n`);
  if (result.kind === 'text') printText(result, { stdout, stderr });
  if (result.status >= 400) stderr.write(`holdfast: the server answered ${result.status}\n`);
  if (result.truncated) stderr.write('holdfast: the content was cut off; --max-bytes allows more\n');
}

function printText(
  { text, findings }: FetchedText,
  { stdout, stderr }: Pick<CommandInput['io'], 'stdout' | 'stderr'>,
): void {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  if (findings.length > 0) stderr.write(`holdfast: the page has hidden characters: ${describeFindings(findings)}\n`);
}

function jsonOf(result: FetchResult): object {
  return result.kind === 'bytes' ? { ...result, bytes: Buffer.from(result.bytes).toString('base64') } : result;
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+):[ \t]*(.*)$/u.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new HoldfastError('HF_USAGE', `expected "Name: value", got ${JSON.stringify(line)}`, {
          remedy: "use --header 'Accept: text/html'",
        });
      return [name, value];
    }),
  );
}

function numberOption(values: CommandInput['values'], flag: string, name: string): Readonly<Record<string, number>> {
  const given = optionText(values[flag]);
  if (given === undefined) return {};
  if (!/^\d{1,12}$/u.test(given))
    throw new HoldfastError('HF_USAGE', `expected a number for --${flag}, got ${JSON.stringify(given)}`, {
      remedy: `use --${flag} 1000`,
    });
  return { [name]: Number(given) };
}
