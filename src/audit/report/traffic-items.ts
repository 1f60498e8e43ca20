import { inputOf, TextTally } from './describe-entry.ts';
import { type EntryOf, type Kind, facts } from './section-kind.ts';

export function startConnection({ host, port }: EntryOf<'connection'>): ReturnType<Kind<'connection'>['start']> {
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

export function startRequest({ scheme, host, port }: EntryOf<'request'>): ReturnType<Kind<'request'>['start']> {
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

export function startStatement({
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

export function startModel({ provider, model }: EntryOf<'model'>): ReturnType<Kind<'model'>['start']> {
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

export function startDlp({ host, port, rule, decision }: EntryOf<'dlp'>): ReturnType<Kind<'dlp'>['start']> {
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

export function startCredential({ credential }: EntryOf<'credential'>): ReturnType<Kind<'credential'>['start']> {
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
