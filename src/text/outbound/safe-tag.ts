import type { HtmlTag } from './html-tag.ts';
import { quoted } from './html-tag.ts';
import { judgeUrl } from './judge-url.ts';
import { idleAttributes, plainAttributes, urlAttributes } from './tags.ts';

/** What is written in the place of a tag, and what was taken out of it. */
export interface SafeTag {
  readonly text: string;
  readonly removed: readonly string[];
}

/** A tag written anew: known attributes only, URLs of allowed hosts only. Its name has been found to be harmless. */
export function safeTag(tag: HtmlTag, allows: (url: string) => boolean): SafeTag {
  if (tag.kind === 'close') return { text: `</${tag.name}>`, removed: [] };
  const kept: string[] = [];
  const removed: string[] = [];
  let shown = '';
  for (const [name, value] of tag.attributes) {
    if (plainAttributes.includes(name)) kept.push(`${name}=${quoted(value)}`);
    else if (urlAttributes[tag.name]?.includes(name)) {
      const judged = judgeUrl(value, allows);
      if (judged.kind === 'refused') {
        removed.push(`${tag.name} ${judged.host}`);
        shown = judged.shown;
      } else kept.push(`${name}=${judged.kind === 'allowed' ? quoted(judged.href).replaceAll('&#58;', ':') : quoted(value)}`);
    } else if (!idleAttributes.includes(name) && !/^(?:data|aria)-/u.test(name)) removed.push(`${tag.name} ${name}`);
  }
  if (shown !== '' && tag.name !== 'a') return { text: `(${tag.name === 'img' ? 'image' : tag.name} removed: ${shown})`, removed };
  const text = `<${[tag.name, ...kept].join(' ')}>`;
  return { text: shown === '' ? text : `(${shown}) ${text}`, removed };
}
