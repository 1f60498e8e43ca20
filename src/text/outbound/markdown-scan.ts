import {
  bareHostEnd,
  decodeReference,
  decodeReferences,
  destinationAt,
  inertUrl,
  isStrict,
  isStrictRelative,
  type JudgedLink,
  judgeUrl,
  type MarkdownDestination,
  matchAt,
  reference,
  strictHref,
  apartFrom,
  bareHost,
  bareUrl,
  schemeStart,
  httpHostEnd,
} from './destination.ts';
import { inlineTags, type OutboundPass, safeTag, tagAt } from './safe-tag.ts';

/**
 * Everything that could begin a link to another place. A character class that is missing here would bypass the scan.
 */
const trigger =
  /(?<inline>\]\()|(?<definition>\]:)|(?<angle><)|(?<entity>&[#A-Za-z])|(?<tex>\\(?:href|url|includegraphics|html(?:Class|Id|Data|Style)|require|csname|unicode)(?![A-Za-z]))|(?<slashes>\\?:\\?\/\\?\/)|(?<bare>(?<![:\w/\\]|\[:\])\\?\/\\?\/(?=[^\s/(\\]))|(?<www>www\\?\.)|(?<xmpp>xmpp:)/giu;

type Trigger = 'inline' | 'definition' | 'angle' | 'entity' | 'tex' | 'slashes' | 'bare' | 'www' | 'xmpp';

const title =
  /[^\S\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*)?(?:(?:"[^"\n`]{0,300}"|'[^'\n`]{0,300}'|\([^()\n`]{0,300}\))[ \t]*)?\)/uy;
const autolink = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,4096})>/uy;
const mailLink = /<[\w.+-]{1,64}@[\w.-]{1,255}>/uy;
const sticky = new RegExp(reference.source, 'uy');

const wide = /[A-Za-z0-9:/.@\\%\t\n\r-]/u;

interface Cut {
  readonly what: string;
  readonly after: number;
  readonly insert: string;
  readonly length: number;
  readonly drop?: number;
}

/** Scans the prose of a message, and rewrites every trigger that may be harmful. */
export class MarkdownScan {
  readonly #text: string;
  readonly #pass: OutboundPass;
  #out = '';
  /** Text up to this offset is written. */
  #from = 0;
  /** Code begins at this offset, so nothing beyond it is read. */
  #limit = 0;
  #next: RegExpExecArray | null | undefined;

  constructor(text: string, pass: OutboundPass) {
    this.#text = text;
    this.#pass = pass;
  }

  result(): string {
    return this.#out + this.#text.slice(this.#from);
  }

  /** Keeps the text up to an offset unchanged. */
  keep(end: number): void {
    this.#out += this.#text.slice(this.#from, end);
    this.#from = end;
  }

  replace(end: number, text: string): void {
    this.#out += text;
    this.#from = end;
  }

  /** Scans the text up to an offset as prose. */
  prose(end: number): void {
    this.#limit = end;
    for (let found = this.#triggerFrom(this.#from); found !== null && found.index < end; ) {
      const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] as Trigger;
      found = this.#triggerFrom(Math.max(this.#at(kind, found.index, found[0]), this.#from));
    }
    this.keep(end);
  }

  /**
   * Returns the next trigger at or after an offset. It is searched for only once, however many code spans precede it.
   */
  #triggerFrom(at: number): RegExpExecArray | null {
    if (this.#next !== undefined && (this.#next === null || this.#next.index >= at)) return this.#next;
    trigger.lastIndex = at;
    this.#next = trigger.exec(this.#text);
    return this.#next;
  }

  /** Handles a trigger, and returns where to continue. Text up to `#from` is already written. */
  #at(kind: Trigger, at: number, found: string): number {
    switch (kind) {
      case 'inline':
        return this.#inline(at);
      case 'definition':
        return this.#definition(at);
      case 'angle':
        return this.#angle(at);
      case 'entity':
        return this.#entity(at);
      case 'tex':
        return this.#cut(at, { what: 'tex', after: 1, insert: ' ', length: found.length });
      case 'slashes':
        return this.#slashes(at, found.length);
      case 'bare':
        return this.#cut(at, {
          what: 'link',
          after: 0,
          insert: this.#text.charAt(at - 1) === '<' ? ' / /' : '/ /',
          length: found.length,
          drop: found.length,
        });
      case 'www':
        return this.#www(at, found.length);
      case 'xmpp':
        return this.#cut(at, { what: 'xmpp', after: 4, insert: '%3A', length: 5, drop: 1 });
    }
  }

  #inline(at: number): number {
    const destination = destinationAt(this.#text, at + 2, this.#limit);
    if (destination === undefined) return this.#break(at, 'destination');
    const { raw, decoded, end } = destination;
    if (end >= this.#limit || !/[ \t\r\n)]/u.test(this.#text.charAt(end))) return this.#break(at, 'destination');
    const judged = judgeUrl(decoded, this.#pass.allows);
    const kept = this.#stays(at + 2, destination, judged);
    if (kept !== undefined) return kept;
    return this.#retell(at, end, judged.kind === 'refused' ? judged : { host: 'destination', shown: inertUrl(raw) });
  }

  #definition(at: number): number {
    const destination = destinationAt(this.#text, at + 2, this.#limit);
    const ended =
      destination !== undefined &&
      (destination.end === this.#text.length ||
        (destination.end < this.#limit && /[ \t\r\n]/u.test(this.#text.charAt(destination.end))));
    const kept = ended ? this.#stays(at + 2, destination, judgeUrl(destination.decoded, this.#pass.allows)) : undefined;
    return kept ?? this.#break(at, 'definition');
  }

  /**
   * Keeps a harmless destination, and rewrites it if renderers would disagree. Returns where to continue, or undefined.
   */
  #stays(at: number, { raw, decoded, end }: MarkdownDestination, judged: JudgedLink): number | undefined {
    if (raw === '') return at;
    const blank = this.#text.charAt(at - 1) === ':' ? ' ' : '';
    const bracketed = this.#text.charAt(end - 1) === '>';
    if (judged.kind === 'relative') {
      const relative = raw.replaceAll(' ', '%20');
      if (decoded !== raw || !isStrictRelative(relative)) return undefined;
      // Also checked as plain text, because it could be read as a URL if it is not a link.
      return bracketed ? this.#put(at, end, `${blank}${relative}`) : at;
    }
    if (judged.kind === 'refused') return undefined;
    if (
      isStrict(raw) &&
      !bracketed &&
      (!/^http/iu.test(raw) || httpHostEnd(this.#text, end - raw.length) !== undefined)
    )
      return end;
    const href = strictHref(judged.href);
    return href === undefined ? undefined : this.#put(at, end, `${blank}${href}`);
  }

  /**
   * Turns an image into a remark, and a link into its text and its URL, which is not linked. Does so only if the label
   * holds nothing else.
   */
  #retell(at: number, end: number, { host, shown }: { readonly host: string; readonly shown: string }): number {
    const close = matchAt(title, this.#text, end);
    const open = this.#text.lastIndexOf('[', at);
    const label = this.#text.slice(open + 1, at);
    if (
      close === undefined ||
      title.lastIndex > this.#limit ||
      open < this.#from ||
      label.length > 500 ||
      /[\]`<\\]|\n\s*\n/u.test(label)
    )
      return this.#break(at, host);
    const image = open > this.#from && this.#text.charAt(open - 1) === '!';
    const start = image ? open - 1 : open;
    // Without the bracket between them, a URL before it would continue into the label.
    if (start > 0 && /\S/u.test(this.#text.charAt(start - 1))) return this.#break(at, host);
    this.#pass.tell({ start, end: title.lastIndex, what: `${image ? 'image' : 'link'} ${host}` });
    const text = image ? `(image removed: ${label === '' ? '' : `${label}, `}${shown})` : `${label} (${shown})`;
    return this.#put(start, title.lastIndex, text);
  }

  /** Breaks the syntax, so that the text after the bracket is not a destination and is scanned as text. */
  #break(at: number, what: string): number {
    this.#pass.tell({ start: at, end: at + 2, what: `link ${what}` });
    this.#put(at + 1, at + 1, '\\');
    return at + 2;
  }

  #angle(at: number): number {
    const next = this.#text.charAt(at + 1);
    if (!/[A-Za-z/!?]/u.test(next)) return at + 1;
    const link = matchAt(autolink, this.#text, at);
    if (link !== undefined && autolink.lastIndex <= this.#limit) return this.#autolink(at, link[1] ?? '');
    if (matchAt(mailLink, this.#text, at) !== undefined && mailLink.lastIndex <= this.#limit) return mailLink.lastIndex;
    const tag = tagAt(this.#text, at, this.#limit);
    if (tag === undefined || !inlineTags.includes(tag.name)) {
      this.#pass.tell({ start: at, end: at + 1, what: 'html' });
      return this.#put(at, at + 1, apartFrom(this.#text, at, '&lt;'));
    }
    const safe = safeTag(tag, this.#pass.allows);
    for (const what of safe.removed) this.#pass.tell({ start: at, end: tag.end, what });
    return safe.text === this.#text.slice(at, tag.end)
      ? tag.end
      : this.#put(at, tag.end, apartFrom(this.#text, at, safe.text));
  }

  #autolink(at: number, raw: string): number {
    const judged = judgeUrl(decodeReferences(raw), this.#pass.allows);
    const end = at + raw.length + 2;
    // Inside HTML it could be a tag, and the text after its slashes could be attributes.
    if (judged.kind === 'allowed' && isStrict(raw))
      return raw.includes('=') ? this.#put(at, end, apartFrom(this.#text, at, `${raw} `)) : end;
    const { host, shown } =
      judged.kind === 'refused' ? judged : { host: 'autolink', shown: inertUrl(decodeReferences(raw)) };
    this.#pass.tell({ start: at, end, what: `link ${host}` });
    return this.#put(
      at,
      end,
      apartFrom(this.#text, at, /\s/u.test(this.#text.charAt(end) || ' ') ? shown : `${shown} `),
    );
  }

  /**
   * Handles a letter of a URL that is written as a character reference. Some renderers look for URLs in the decoded
   * text.
   */
  #entity(at: number): number {
    const found = matchAt(sticky, this.#text, at)?.[0];
    const decoded = found === undefined ? undefined : decodeReference(found);
    if (found === undefined || decoded === undefined || !wide.test(decoded)) return at + 1;
    this.#pass.tell({ start: at, end: at + found.length, what: 'reference' });
    return this.#put(at, at + 1, '&amp;');
  }

  #slashes(at: number, length: number): number {
    const start = schemeStart(this.#text, at, this.#from);
    if (start === at) return at + length;
    const { allows } = this.#pass;
    const run = bareUrl(this.#text, start, this.#limit);
    const judged = judgeUrl(run.replaceAll('\\', ''), allows);
    const hostEnd = judged.kind === 'allowed' ? httpHostEnd(this.#text, start) : undefined;
    if (hostEnd !== undefined && hostEnd <= this.#limit) return hostEnd;
    const href = judged.kind === 'allowed' ? strictHref(judged.href) : undefined;
    // Rewrites a name outside ASCII in the spelling that all renderers read alike.
    if (href !== undefined && /[^ -~]/u.test(run)) return this.#put(start, start + run.length, href);
    this.#pass.tell({
      start,
      end: start + run.length,
      what: `link ${judged.kind === 'refused' ? judged.host : 'url'}`,
    });
    const end = Math.max(start + run.length, at + length);
    return this.#put(start, end, judged.kind === 'refused' ? judged.shown : inertUrl(run.replaceAll('\\', '')));
  }

  #www(at: number, length: number): number {
    const end = bareHostEnd(
      this.#text,
      at,
      (host) => judgeUrl(`http://${host}/`, this.#pass.allows).kind === 'allowed',
    );
    if (end !== undefined && end <= this.#limit) return end;
    const host = bareHost(this.#text, at, this.#limit);
    // Before a colon or a parenthesis, a bracket would have a meaning.
    const dot = /[a-z0-9]/iu.test(this.#text.charAt(at + length)) ? '[.]' : ' .';
    if (!/^www\./iu.test(host))
      return this.#cut(at, { what: 'link www', after: 3, insert: dot, length, drop: length - 3 });
    this.#pass.tell({ start: at, end: at + host.length, what: `link ${host.replaceAll('.', '[.]')}` });
    return this.#put(at, at + host.length, host.replaceAll('.', '[.]'));
  }

  #cut(at: number, { what, after, insert, length, drop = 0 }: Cut): number {
    this.#pass.tell({ start: at, end: at + length, what });
    this.#put(at + after, at + after + drop, insert);
    return at + length;
  }

  #put(start: number, end: number, text: string): number {
    this.keep(start);
    this.replace(end, text);
    return end;
  }
}
