import type { FilteredText, TextFinding } from '../types.ts';
import { keptFindings, printable } from '../terminal/findings.ts';
import { defuseHtml } from './html.ts';
import { defuseMarkdown } from './markdown.ts';
import type { OutboundOptions } from './types.ts';

const passes = { markdown: defuseMarkdown, html: defuseHtml } as const;

/**
 * A text that a rich client will show (a model's answer, a tool's result, a page), so that showing it reaches no host that
 * is not allowed, and no click does: images become remarks, links keep their text beside a URL that nothing links, HTML is
 * written anew from a list of harmless tags, drawings that could load something are shown as code. What `allows` allows,
 * relative URLs and images of pixels in the text itself stay.
 *
 * Fails closed: what two renderers could read in two ways counts as the worse of both. Not covered are addresses without a
 * scheme (`example.com`) that some clients link, e-mail addresses, and clients that run code blocks.
 */
export function defuseOutbound(text: string, { allows, media }: OutboundOptions): FilteredText {
  const findings: TextFinding[] = [];
  let omitted = 0;
  const defused = passes[media](text, {
    allows,
    tell: ({ start, end, what }) => {
      if (findings.length === keptFindings) omitted += 1;
      else findings.push({ kind: 'outbound', start, end, what: printable(what) });
    },
  });
  const filtered = { text: defused === text ? text : defused, findings };
  return omitted === 0 ? filtered : { ...filtered, omitted };
}
