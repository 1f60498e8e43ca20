import type { FilteredText, FilterOptions, TextFinding, TextForm, TextMode } from '../types.ts';
import { isLookalikeForm, lookalikeFindings } from '../confusables/lookalike-findings.ts';
import { describeRun, nameRun } from './describe-run.ts';
import { eachRun, type HiddenRun } from './each-run.ts';
import { rejectHidden } from './reject.ts';

/** Most findings to report of one text. Further ones are only counted, because a hostile text would fill the memory. */
export const mostFindings = 1000;
const byteOrderMark = 0xfeff;

/**
 * Returns a text in a form that may be shown. People's writing is kept byte for byte: emoji, Persian, Hindi, and closed
 * direction marks in right-to-left paragraphs. Without findings, the result is the same string.
 *
 * `reveal` loses nothing: two texts never give the same result. A `⟦U+` in the text becomes `⟦U+27E6⟧U+`, so that
 * nobody can forge or hide a finding. A second `reveal` therefore changes the result again. Two exceptions: a run of
 * more than 24 different pieces is given by its number, and a byte order mark at the start is dropped. `strip` leaves a
 * space or a line break in place of a hidden one. A second `strip` changes nothing.
 *
 * @throws HoldfastError `HF_TEXT_REJECTED` in mode `reject`, if anything was found that does not show.
 */
export function filterText(text: string, options: FilterOptions = {}): FilteredText {
  const { mode = 'reveal', form = 'prose' } = options;
  if (mode === 'reject') rejectHidden(text, form);
  const hidden = replaceRuns(text, form, mode);
  if (!isLookalikeForm(form)) return hidden;
  const findings = [...hidden.findings, ...lookalikeFindings(text, form)];
  return findings.length === 0 ? hidden : { ...hidden, findings };
}

function replaceRuns(text: string, form: TextForm, mode: TextMode): FilteredText {
  const findings: TextFinding[] = [];
  let omitted = 0;
  const shown = pieces();
  let from = mode !== 'report' && hasByteOrderMark(text, form) ? 1 : 0;
  eachRun(text, form, (found) => {
    const run = withoutByteOrderMark(text, form, found);
    if (run === undefined || (run.kind === 'bracket' && mode !== 'reveal')) return 'on';
    if (mode === 'reveal' || mode === 'strip') {
      shown.add(text.slice(from, run.start));
      shown.add(replacement(text, run, { mode, form }));
      from = run.end;
    }
    if (run.kind === 'bracket') return 'on';
    if (findings.length < mostFindings) findings.push(describeRun(text, { ...run, kind: run.kind }));
    else omitted++;
    return 'on';
  });
  const filtered = { text: from === 0 ? text : shown.joined() + text.slice(from), findings };
  return omitted === 0 ? filtered : { ...filtered, omitted };
}

function replacement(
  text: string,
  run: HiddenRun,
  { mode, form }: { readonly mode: 'reveal' | 'strip'; readonly form: TextForm },
): string {
  if (mode === 'reveal') return `⟦${nameRun(text, run.start, run.end)}⟧`;
  const taken = text.slice(run.start, run.end);
  const isLineEnd = /[\r\x85\u2028\u2029]/u.test(taken);
  if (isLineEnd && (form === 'prose' || form === 'code')) return '\n';
  return isLineEnd || run.kind === 'separator' || /[\n\t]/u.test(taken) ? ' ' : '';
}

function hasByteOrderMark(text: string, form: TextForm): boolean {
  return text.charCodeAt(0) === byteOrderMark && (form === 'prose' || form === 'code');
}

function withoutByteOrderMark(text: string, form: TextForm, run: HiddenRun): HiddenRun | undefined {
  if (run.start > 0 || !hasByteOrderMark(text, form)) return run;
  return run.end === 1 ? undefined : { ...run, start: 1 };
}

/** Most pieces to join at once. An engine's rope of millions of pieces takes a hundred times the memory of the text. */
const mostLoose = 4096;

/** Builds a text from pieces. */
function pieces(): { readonly add: (piece: string) => void; readonly joined: () => string } {
  const joined: string[] = [];
  let loose: string[] = [];
  const join = () => {
    joined.push(loose.join(''));
    loose = [];
  };
  return {
    add: (piece) => {
      if (loose.push(piece) >= mostLoose) join();
    },
    joined: () => {
      join();
      return joined.join('');
    },
  };
}
