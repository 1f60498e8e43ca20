import { describeRequest } from '../../policy/words/describe-request.ts';
import type { JournalEntry } from '../entries.ts';
import { type Technique, techniquesOf } from '../techniques/techniques-of.ts';
import { describeCounts, milliseconds, rawText, TextTally, isKnown } from './describe-entry.ts';
import { type EntryOf, type Kind, countedItem, fact, facts, kind, type SectionKind } from './section-kind.ts';
import {
  startConnection,
  startRequest,
  startStatement,
  startModel,
  startDlp,
  startCredential,
} from './traffic-items.ts';
import type { Tone, ReportSection } from './types.ts';
import { originPlace } from '../../policy/origin.ts';

/** Digits of a digest that tell policies apart. */
const shortDigest = 12;

export const sectionKinds: readonly SectionKind[] = [
  kind<'alarm'>({
    title: 'Alarms',
    types: ['alarm'],
    keyOf: ({ alarm, credential, host, port, place }) => JSON.stringify([alarm, credential, host, port, place]),
    start: countedItem('alarm', ({ alarm, credential, host, port, place }) => ({
      title: alarm,
      facts: facts({ credential, to: `${host}:${port}`, where: place }),
    })),
  }),
  kind<'refusal'>({
    title: 'Refusals',
    types: ['refusal'],
    keyOf: ({ request, verdict, program = '' }) => JSON.stringify([describeRequest(request), verdict.rule, program]),
    start: countedItem('refused', ({ request, verdict, observed, program }) => ({
      title: describeRequest(request),
      facts: facts({
        why: verdict.message,
        rule: `${verdict.rule} (${verdict.layer} layer, ${originPlace(verdict)})`,
        'to allow it': verdict.remedy,
        'seen by': observed,
        program,
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
    start: countedItem('refused', ({ files }) => ({
      title: `${files.length} not in the box`,
      facts: files.map(({ path, state }) => fact(state, path)),
    })),
  }),
  kind<'policy.narrow'>({
    title: 'Policy that became stricter',
    types: ['policy.narrow'],
    keyOf: ({ policy }) => policy,
    start: countedItem('calm', ({ policy, wider, ended }) => ({
      title: policy.slice(0, shortDigest),
      facts: facts({
        'commands that kept their grants': wider.join(' ') || undefined,
        'commands that were ended': ended.join(' ') || undefined,
      }),
    })),
  }),
  kind<'code.run'>({
    title: 'Code',
    types: ['code.run'],
    keyOf: ({ sha256 }) => sha256,
    start: countedItem('calm', ({ language, start, bytes }) => ({
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
    start: countedItem('refused', ({ path, movedTo, reason }) => ({
      title: path,
      facts: facts({ 'moved to': movedTo, why: reason }),
    })),
  }),
  kind<'covered'>({
    title: 'Files that a program outside uncovered',
    types: ['covered'],
    keyOf: ({ path }) => path,
    start: countedItem('calm', ({ path, effect, change }) => ({
      title: path,
      facts: facts({ 'what happened': change, 'covered again as': effect }),
    })),
  }),
  kind<'trace'>({
    title: 'Traces that act later',
    types: ['trace'],
    keyOf: ({ path, what, detail }) => `${what} ${path} ${detail}`,
    start: countedItem('asked', ({ path, what, detail }) => ({ title: path, facts: facts({ kind: what, detail }) })),
  }),
  kind<'enforcement'>({
    title: 'Other actions of rules',
    types: ['enforcement'],
    keyOf: ({ outcome, request, verdict }) => JSON.stringify([outcome, describeRequest(request), verdict.rule]),
    start: countedItem('calm', ({ outcome, request, verdict, argv, entry }) => ({
      title: `${outcome} ${describeRequest(request)}`,
      facts: facts({ rule: verdict.rule, 'ran instead': argv?.join(' '), 'in the trash as': entry }),
    })),
  }),
  kind<'text'>({
    title: 'Hidden text',
    types: ['text'],
    keyOf: ({ boundary, where, findings }) => JSON.stringify([boundary, where, findings]),
    start: countedItem('asked', ({ boundary, where, findings, decoded, likeness }) => ({
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
  start: countedItem('calm', (entry) => ({ title: String(entry.type), facts: facts({ entry: rawText(entry) }) })),
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

/** The MITRE ATT&CK techniques that the entries of a session show. */
export class TechniquesSection {
  readonly #found = new Map<Technique['id'], { readonly technique: Technique; readonly types: TextTally }>();

  add(entry: JournalEntry): void {
    for (const technique of techniquesIn(entry)) {
      const found = this.#found.get(technique.id) ?? { technique, types: new TextTally() };
      found.types.add(entry.type);
      this.#found.set(technique.id, found);
    }
  }

  build(): ReportSection {
    const items = Array.from(this.#found.values(), ({ technique: { id, name, url }, types }) => ({
      title: `${id} ${name}`,
      tone: 'calm' as const,
      facts: [
        { label: 'shown by', text: types.toString() },
        { label: 'see', text: url },
      ],
    }));
    return { title: 'Similar MITRE ATT&CK techniques', items, left: 0 };
  }
}

/** Empty for an entry with invalid fields. */
export function techniquesIn(entry: JournalEntry): readonly Technique[] {
  if (!isKnown(entry)) return [];
  try {
    return techniquesOf(entry);
  } catch {
    // Fields that every event has are missing, so the line is handwritten.
    return [];
  }
}
