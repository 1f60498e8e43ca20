import type { JournalEntry } from '../../audit/index.ts';
import { queryJournal } from '../../audit/index-db/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { StatePaths } from '../../sandbox/host/state-paths.ts';
import { callFile, isCallId, type KeptTexts, readKeptCall } from '../../sandbox/llm/log/index.ts';
import { teller } from '../audit/tell.ts';
import { isSet, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { callJson, callsOf, type ModelEntry, textsState } from './calls.ts';
import { factsText } from './facts-text.ts';
import { rawText, wordsOf, wordsText } from './words.ts';

export type DlpEntry = Extract<JournalEntry, { readonly type: 'dlp' }>;

/** One call: what the journal knows of it, and what was said where it is kept. */
export function showCall({ values, io }: CommandInput, paths: StatePaths, word: string): number {
  if (isSet(values['json']) && isSet(values['raw'])) throw new HoldfastError('HF_USAGE', 'expected --raw or --json, got both', { remedy: 'use one of them: --json has what is kept as well' });
  const entry = onlyCall(callsOf(paths.journal, {}), word);
  const texts = textsOf(paths, entry, teller(io));
  const found = foundIn(paths.journal, entry);
  if (isSet(values['json'])) io.stdout.write(jsonText({ call: callJson(entry, textsState(paths, entry)), found: found.map(({ rule, decision, found: counts }) => ({ rule, decision, found: counts })), conversation: texts === undefined ? null : wordsOf(texts), kept: texts ?? null }));
  else if (isSet(values['raw'])) io.stdout.write(safeText(rawText(orUnkept(texts, paths, entry))));
  else io.stdout.write(safeText(`${factsText(entry, found, textsState(paths, entry))}${texts === undefined ? '' : wordsText(texts)}`));
  return 0;
}

function onlyCall(calls: readonly ModelEntry[], word: string): ModelEntry {
  const numbered = calls.filter(({ seq }) => String(seq) === word);
  const found = numbered.length > 0 || word === '' ? numbered : calls.filter(({ log }) => log?.startsWith(word) === true);
  const [first, second] = found;
  if (first === undefined) throw new HoldfastError('HF_USAGE', `no call is ${JSON.stringify(word)}`, { remedy: 'see `holdfast llm log`' });
  if (second !== undefined) throw new HoldfastError('HF_USAGE', `${found.length} calls begin with ${JSON.stringify(word)}`, { remedy: `write more of it: ${first.log}, ${second.log} …` });
  return first;
}

/** Undefined where they are not there, or not as they were written. */
function textsOf({ calls }: StatePaths, { log }: ModelEntry, tell: (message: string) => void): KeptTexts | undefined {
  // Attack: an entry that somebody wrote by hand names a file elsewhere.
  if (log === undefined || !isCallId(log)) return undefined;
  const read = readKeptCall(calls, log);
  if (read.kind === 'damaged') tell(`the texts of the call cannot be read: ${callFile(calls, log)} is damaged`);
  return read.kind === 'kept' ? read.texts : undefined;
}

function orUnkept(texts: KeptTexts | undefined, paths: StatePaths, entry: ModelEntry): KeptTexts {
  if (texts !== undefined) return texts;
  if (entry.refusal !== undefined) throw new HoldfastError('HF_USAGE', `call ${entry.seq} was refused, and its texts were not kept`, { remedy: `see \`holdfast llm show ${entry.seq}\` for why` });
  const why = { kept: 'cannot be read', gone: 'were kept, and their time is over', lost: `could not be kept (${entry.logFailure})`, none: 'were not kept' }[textsState(paths, entry)];
  throw new HoldfastError('HF_USAGE', `the texts of call ${entry.seq} ${why}`, { remedy: 'write `log = "bodies"` under [llm] in your policy to keep those of calls to come' });
}

const mostFound = 1000;
/** Milliseconds that a machine may take from the end of a call to the time that its entry has. */
const latest = 1000;

/** What rules found in requests of the session to the same server while the call ran; of two at once, in either. */
function foundIn(journal: string, { time, session, duration, host, port }: ModelEntry): readonly DlpEntry[] {
  const ended = Date.parse(time);
  const { entries } = queryJournal(journal, { filter: { types: ['dlp'], session, since: ended - duration - latest, until: ended + 1 }, limit: mostFound });
  return entries.filter((entry): entry is DlpEntry => entry.type === 'dlp' && entry.host === host && entry.port === port);
}
