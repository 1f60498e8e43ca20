import type { ModelAnswer } from '../lib/model-server/index.ts';

/** An answer with every kind of part: it thinks, speaks in pieces beyond ASCII, and calls a tool. */
export const everything: ModelAnswer = {
  kind: 'model',
  parts: [
    { kind: 'thinking', pieces: ['hm', ' hm'], signature: 'c2lnbmF0dXJl' },
    { kind: 'text', pieces: ['in ', 'pieces é字 "\\\n'] },
    { kind: 'tool-call', id: 'call_1', name: 'weather', input: { city: 'Zürich "\\' } },
  ],
};

/** The model's answer to the tool's result. */
export const conclusion: ModelAnswer = { kind: 'model', parts: [{ kind: 'text', pieces: ['so ', 'it is'] }] };

export const said = { text: 'in pieces é字 "\\\n', thinking: 'hm hm', input: { city: 'Zürich "\\' } } as const;
