import type { Policy } from '../policy.ts';
import type { LayerLog } from './document-llm.ts';
import type { LlmLog } from './types.ts';

const day = 86_400_000;
const usual = { keep: 7 * day, most: 200e6 };

/**
 * What is kept of calls. Conversations are the user's own: a repository has no say in whether they lie on the disk, or for how long.
 * The machine's policy goes before the user's, key by key; where two of a kind disagree, less is kept.
 */
export function logOf(layers: Policy['layers']): LlmLog {
  const [managed, user] = (['managed', 'user'] as const).map((wanted) => layers.flatMap(({ kind, settings: { llm } }) => (kind === wanted ? (llm?.log ?? []) : [])));
  const said = <Key extends keyof LayerLog>(key: Key): readonly NonNullable<LayerLog[Key]>[] => {
    const own = (logs: readonly LayerLog[] = []): readonly NonNullable<LayerLog[Key]>[] => logs.flatMap((log) => log[key] ?? []);
    return own(managed).length > 0 ? own(managed) : own(user);
  };
  const what = said('what');
  const isKept = what.length > 0 && !what.includes('metadata');
  const isDemanded = managed?.some((log) => log.what === 'bodies') === true;
  return { texts: isKept ? (isDemanded ? 'demanded' : 'kept') : 'not-kept', keep: Math.min(...orUsual(said('keep'), usual.keep)), most: Math.min(...orUsual(said('most'), usual.most)) };
}

function orUsual(said: readonly number[], otherwise: number): readonly number[] {
  return said.length === 0 ? [otherwise] : said;
}
