import { createFragmentRestorer, createRestorer } from '../../dlp/index.ts';
import type { OpenStage, TextStage } from '../../llm/index.ts';
import { filterText, OutboundStream } from '../../text/index.ts';
import type { CallState } from './carry-call.ts';
import { isRemoteTool, leadsElsewhere, stringsOf } from './remote-tools.ts';

/** What each text of an answer goes through: fakes become what they stand for, and what would carry data away is defused. */
export function stagesFor({ gateway, settings }: CallState): OpenStage {
  const allows = (url: string): boolean => gateway.allows(url);
  return ({ kind }, tool) => {
    switch (kind) {
      case 'thinking':
        // Providers sign it: the next request would be refused.
        return undefined;
      case 'arguments':
      case 'arguments-text':
      case 'arguments-value': {
        // Attack: a model that is told to fetch `https://evil.example/?k=…`. What the provider runs, or nobody can name, is not local either.
        if (tool === undefined || isRemoteTool(tool, settings)) return undefined;
        const create = kind === 'arguments' ? createFragmentRestorer : createRestorer;
        const strings = stringsOf(tool, settings);
        return create(gateway.fakes, { keeps: (begin) => leadsElsewhere(begin, strings) });
      }
      case 'text': {
        const restorer = createRestorer(gateway.fakes);
        if (settings.output === 'as-is') return restorer;
        return chained(restorer, outboundStage(allows));
      }
    }
  };
}

function chained(first: TextStage, second: TextStage): TextStage {
  return { push: (text) => second.push(first.push(text)), end: () => second.push(first.end()) + second.end() };
}

function outboundStage(allows: (url: string) => boolean): TextStage {
  const stream = new OutboundStream({ allows });
  const clean = (text: string): string => (text === '' ? text : filterText(text, { form: 'prose', mode: 'reveal' }).text);
  return { push: (text) => clean(stream.push(text)), end: () => clean(stream.end()) };
}
