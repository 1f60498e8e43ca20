import { describeRequest } from '../../policy/words/describe-request.ts';
import type { JournalEntry } from '../entries.ts';
import type { JournalEvent } from '../events.ts';
import { describeCounts, inputOf, milliseconds, rawText, TextTally } from './describe-entry.ts';
import type { Fact, ReportItem, Tone } from './types.ts';

type EntryOf<Type extends JournalEvent['type']> = Extract<JournalEntry, { readonly type: Type }>;

/** How entries of some types become the items of one section. Entries with the same key are one item. */
export interface SectionKind {
  readonly title: string;
  readonly types: readonly JournalEvent['type'][];
  readonly keyOf: (entry: JournalEntry) => string;
  readonly start: (entry: JournalEntry) => ItemBuilder;
}

export interface ItemBuilder {
  readonly add: (entry: JournalEntry) => void;
  readonly build: () => ReportItem;
}

interface Kind<Type extends JournalEvent['type']> {
  readonly title: string;
  readonly types: readonly Type[];
  readonly keyOf: (entry: EntryOf<Type>) => string;
  readonly start: (first: EntryOf<Type>) => {
    readonly add: (entry: EntryOf<Type>) => void;
    readonly build: () => ReportItem;
  };
}

/** A kind gets only entries of its types. */
function kind<Type extends JournalEvent['type']>(definition: Kind<Type>): SectionKind {
  return definition as unknown as SectionKind;
}

/** Returns an item that counts repeats, and describes the first. */
function counted<Entry extends JournalEntry>(
  tone: Tone,
  tell: (first: Entry) => { readonly title: string; readonly facts: readonly Fact[] },
) {
  return (first: Entry): { readonly add: () => void; readonly build: () => ReportItem } => {
    const { title, facts } = tell(first);
    let count = 0;
    return {
      add: () => void (count += 1),
      build: () => ({
        title,
        tone,
        facts: [
          ...facts,
          fact(count === 1 ? 'when' : 'first', first.time),
          ...(count === 1 ? [] : [fact('times', String(count))]),
        ],
      }),
    };
  };
}

/** Digits of a digest that tell policies apart. */
const shortDigest = 12;

export const sectionKinds: readonly SectionKind[] = [
  kind<'alarm'>({
    title: 'Alarms',
    types: ['alarm'],
    keyOf: ({ alarm, credential, host, port, place }) => JSON.stringify([alarm, credential, host, port, place]),
    start: counted('alarm', ({ alarm, credential, host, port, place }) => ({
      title: alarm,
      facts: facts({ credential, to: `${host}:${port}`, where: place }),
    })),
  }),
  kind<'refusal'>({
    title: 'Refusals',
    types: ['refusal'],
    keyOf: ({ request, verdict }) => JSON.stringify([describeRequest(request), verdict.rule]),
    start: counted('refused', ({ request, verdict, observed }) => ({
      title: describeRequest(request),
      facts: facts({
        why: verdict.message,
        rule: `${verdict.rule} (${verdict.layer} layer, ${verdict.file}${verdict.line > 0 ? `:${verdict.line}` : ''})`,
        'to allow it': verdict.remedy,
        'seen by': observed,
      }),
    })),
  }),
  kind<'approval.requested' | 'approval.resolved'>({
    title: 'Approvals',
    types: ['approval.requested', 'approval.resolved'],
    keyOf: ({ hash }) => hash,
    start: startApproval,
  }),
  kind<'trust.withheld'>({
    title: 'Files that nobody had approved',
    types: ['trust.withheld'],
    keyOf: ({ files }) => JSON.stringify(files),
    start: counted('refused', ({ files }) => ({
      title: `${files.length} not in the box`,
      facts: files.map(({ path, state }) => fact(state, path)),
    })),
  }),
  kind<'policy.narrow'>({
    title: 'Policy that became stricter',
    types: ['policy.narrow'],
    keyOf: ({ policy }) => policy,
    start: counted('calm', ({ policy, wider, ended }) => ({
      title: policy.slice(0, shortDigest),
      facts: facts({
        'commands that kept what they had': wider.join(' ') || undefined,
        'commands that were ended': ended.join(' ') || undefined,
      }),
    })),
  }),
  kind<'code.run'>({
    title: 'Code',
    types: ['code.run'],
    keyOf: ({ sha256 }) => sha256,
    start: counted('calm', ({ language, start, bytes }) => ({
      title: `${language}: ${start.split('\n', 1)[0] ?? ''}`,
      facts: facts({ bytes: String(bytes) }),
    })),
  }),
  kind<'connection'>({
    title: 'Connections',
    types: ['connection'],
    keyOf: ({ host, port }) => `${host}:${port}`,
    start: startConnection,
  }),
  kind<'request'>({
    title: 'Requests',
    types: ['request'],
    keyOf: ({ scheme, host, port }) => `${scheme} ${host} ${port}`,
    start: startRequest,
  }),
  kind<'statement'>({
    title: 'Statements to databases',
    types: ['statement'],
    keyOf: ({ protocol, host, port, decision, text }) =>
      JSON.stringify([protocol, host, port, decision, decision === 'deny' ? text : '']),
    start: startStatement,
  }),
  kind<'model'>({
    title: 'Language models',
    types: ['model'],
    keyOf: ({ provider, model = '' }) => `${provider} ${model}`,
    start: startModel,
  }),
  kind<'dlp'>({
    title: 'Changed or blocked data',
    types: ['dlp'],
    keyOf: ({ host, port, rule, decision }) => JSON.stringify([host, port, rule, decision]),
    start: startDlp,
  }),
  kind<'credential'>({
    title: 'Credentials',
    types: ['credential'],
    keyOf: ({ credential }) => credential,
    start: startCredential,
  }),
  kind<'quarantine'>({
    title: 'Files moved to quarantine',
    types: ['quarantine'],
    keyOf: ({ path, movedTo }) => JSON.stringify([path, movedTo]),
    start: counted('refused', ({ path, movedTo, reason }) => ({
      title: path,
      facts: facts({ 'moved to': movedTo, why: reason }),
    })),
  }),
  kind<'covered'>({
    title: 'Files that a program outside uncovered',
    types: ['covered'],
    keyOf: ({ path }) => path,
    start: counted('calm', ({ path, effect, change }) => ({
      title: path,
      facts: facts({ 'what happened': change, 'covered again as': effect }),
    })),
  }),
  kind<'enforcement'>({
    title: 'Other actions of rules',
    types: ['enforcement'],
    keyOf: ({ outcome, request, verdict }) => JSON.stringify([outcome, describeRequest(request), verdict.rule]),
    start: counted('calm', ({ outcome, request, verdict, argv, entry }) => ({
      title: `${outcome} ${describeRequest(request)}`,
      facts: facts({ rule: verdict.rule, 'ran instead': argv?.join(' '), 'in the trash as': entry }),
    })),
  }),
  kind<'text'>({
    title: 'Hidden text',
    types: ['text'],
    keyOf: ({ boundary, where, findings }) => JSON.stringify([boundary, where, findings]),
    start: counted('asked', ({ boundary, where, findings, decoded, likeness }) => ({
      title: where,
      facts: facts({
        boundary,
        found: describeCounts(findings),
        'it says': decoded?.map((words) => JSON.stringify(words)).join(' '),
        'reads like an instruction': likeness?.name,
      }),
    })),
  }),
];

/** For entries of later versions, and those with invalid fields. */
export const otherEntries: SectionKind = {
  title: 'Other entries',
  types: [],
  keyOf: ({ seq }) => String(seq),
  start: counted('calm', (entry) => ({ title: String(entry.type), facts: facts({ entry: rawText(entry) }) })),
};

function startApproval(): ReturnType<Kind<'approval.requested' | 'approval.resolved'>['start']> {
  let asked: Readonly<Record<'title' | 'asked' | 'rule' | 'why', string>> | undefined;
  const answers = new TextTally();
  let tone: Tone = 'asked';
  return {
    add: (entry) => {
      if (entry.type === 'approval.requested')
        asked ??= { title: entry.title, asked: entry.time, rule: entry.verdict.rule, why: entry.verdict.message };
      else {
        answers.add(`${entry.decision} ${whoAnswered(entry)} at ${entry.time} after ${milliseconds(entry.waited)}`);
        if (entry.decision === 'deny') tone = 'refused';
      }
    },
    build: () => {
      const { title = 'a question that is not in this journal', ...question } = asked ?? {};
      return { title, tone, facts: facts({ ...question, answer: answers.toString() || 'none yet' }) };
    },
  };
}

function whoAnswered({ channel, because }: EntryOf<'approval.resolved'>): string {
  return channel === undefined ? `without an answer (${because ?? 'no reason'})` : `by ${channel}`;
}

function startConnection({ host, port }: EntryOf<'connection'>): ReturnType<Kind<'connection'>['start']> {
  const sums = { connections: 0, sent: 0, received: 0, refused: 0 };
  const [addresses, programs, refusals] = [new TextTally(), new TextTally(), new TextTally()];
  return {
    add: ({ sent, received, refusal, address, process }) => {
      sums.connections += 1;
      sums.sent += sent;
      sums.received += received;
      if (address !== undefined) addresses.add(address);
      if (process !== undefined) programs.add(process.program);
      if (refusal === undefined) return;
      sums.refused += 1;
      refusals.add(refusal.message);
    },
    build: () => ({
      title: `${host}:${port}`,
      tone: sums.refused > 0 ? 'refused' : 'calm',
      facts: facts({
        connections: String(sums.connections),
        'bytes out': String(sums.sent),
        'bytes in': String(sums.received),
        refused: refusals.toString(),
        addresses: addresses.toString(),
        programs: programs.toString(),
      }),
    }),
  };
}

function startRequest({ scheme, host, port }: EntryOf<'request'>): ReturnType<Kind<'request'>['start']> {
  const [answers, refusals] = [new TextTally(), new TextTally()];
  return {
    add: ({ method, status, refusal }) =>
      (refusal === undefined ? answers : refusals).add(
        `${method} ${refusal?.message ?? (status === 0 ? 'without an answer' : status)}`,
      ),
    build: () => ({
      title: `${scheme}://${host}:${port}`,
      tone: refusals.toString() === '' ? 'calm' : 'refused',
      facts: facts({ answers: answers.toString(), refused: refusals.toString() }),
    }),
  };
}

function startStatement({
  protocol,
  host,
  port,
  decision,
  text,
  user,
  database,
}: EntryOf<'statement'>): ReturnType<Kind<'statement'>['start']> {
  const outcomes = new TextTally();
  return {
    add: ({ outcome, count }) => outcomes.add(outcome, count),
    build: () => ({
      title: decision === 'deny' ? text : `${protocol}://${host}:${port}`,
      tone: decision === 'deny' ? 'refused' : 'calm',
      facts: facts({
        database: `${protocol}://${host}:${port}${database === undefined ? '' : `/${database}`}`,
        user,
        outcomes: outcomes.toString(),
      }),
    }),
  };
}

function startModel({ provider, model }: EntryOf<'model'>): ReturnType<Kind<'model'>['start']> {
  const [answers, refusals, tools] = [new TextTally(), new TextTally(), new TextTally()];
  const sums = { calls: 0, input: 0, output: 0, usd: 0, unpriced: 0, partial: 0 };
  return {
    add: ({ status, refusal, tokens, usd, completeness, toolCalls }) => {
      (refusal === undefined ? answers : refusals).add(
        `${refusal?.message ?? (status === 0 ? 'without an answer' : status)}`,
      );
      for (const { name } of toolCalls) tools.add(name);
      sums.calls += 1;
      sums.input += tokens === undefined ? 0 : inputOf(tokens);
      sums.output += tokens?.output ?? 0;
      sums.usd += usd ?? 0;
      sums.unpriced += usd === null ? 1 : 0;
      sums.partial += completeness === 'partial' ? 1 : 0;
    },
    build: () => ({
      title: model === undefined ? provider : `${provider} ${model}`,
      tone: refusals.toString() === '' ? 'calm' : 'refused',
      facts: facts({
        calls: `${sums.calls}${sums.partial === 0 ? '' : `, ${sums.partial} cut short`}`,
        tokens: `${sums.input} in, ${sums.output} out`,
        cost:
          sums.unpriced === sums.calls
            ? 'no price known'
            : `${sums.usd.toFixed(4)} USD${sums.unpriced === 0 ? '' : `, and ${sums.unpriced} calls without a price`}`,
        answers: answers.toString(),
        refused: refusals.toString(),
        tools: tools.toString(),
      }),
    }),
  };
}

function startDlp({ host, port, rule, decision }: EntryOf<'dlp'>): ReturnType<Kind<'dlp'>['start']> {
  const found = new TextTally();
  return {
    add: (entry) => {
      for (const [kindOf, count] of Object.entries(entry.found)) found.add(kindOf, count);
    },
    build: () => ({
      title: `${decision} by ${rule}`,
      tone: decision === 'block' ? 'refused' : 'asked',
      facts: facts({ at: `${host}:${port}`, found: found.toString() }),
    }),
  };
}

function startCredential({ credential }: EntryOf<'credential'>): ReturnType<Kind<'credential'>['start']> {
  const [actions, hosts, messages] = [new TextTally(), new TextTally(), new TextTally()];
  return {
    add: ({ action, host, port, message }) => {
      actions.add(action);
      if (host !== undefined) hosts.add(port === undefined ? host : `${host}:${port}`);
      if (message !== undefined) messages.add(message);
    },
    build: () => ({
      title: credential,
      tone: messages.toString() === '' ? 'calm' : 'asked',
      facts: facts({ was: actions.toString(), at: hosts.toString(), because: messages.toString() }),
    }),
  };
}

function fact(label: string, text: string): Fact {
  return { label, text };
}

/** Leaves out facts without a text. */
function facts(texts: Readonly<Record<string, string | undefined>>): readonly Fact[] {
  return Object.entries(texts).flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [fact(label, text)],
  );
}
