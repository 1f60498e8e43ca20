import { controlNames, csiNames, escapeNames, lineControls, lineEscapes, paintingModes, silentControls, silentEscapes, silentOsc } from './names.ts';
import type { Sequence } from './sequence.ts';

/** What is put in the place of a sequence. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'line' }
  /** Back to the start of the line: what is written next would cover it. */
  | { readonly kind: 'return' }
  | { readonly kind: 'colours'; readonly parameters: string }
  /** Begins a link, or with an empty target ends it. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'mark'; readonly name: string };

/** Control sequences that change no text on the screen leave nothing, whatever would have repainted, written or answered leaves its name. */
export function describe(sequence: Sequence): Shown {
  switch (sequence.kind) {
    case 'control':
      return control(sequence.code);
    case 'escape':
      return escape(sequence.what);
    case 'csi':
      return csi(sequence);
    case 'string':
      return string(sequence);
    case 'broken':
      return mark(`${sequence.what} broken off`);
  }
}

function control(code: number): Shown {
  if (code === 0x0d) return { kind: 'return' };
  if (lineControls.includes(code)) return { kind: 'line' };
  return silentControls.includes(code) ? { kind: 'nothing' } : mark(controlNames[code] ?? `C0 ${code.toString(16)}`);
}

function escape(what: string): Shown {
  if (lineEscapes.includes(what)) return { kind: 'line' };
  return silentEscapes.includes(what) ? { kind: 'nothing' } : mark(escapeNames[what] ?? `ESC ${what}`);
}

function csi({ parameters, intermediates, final }: Extract<Sequence, { kind: 'csi' }>): Shown {
  const prefix = /^[<-?]/u.exec(parameters)?.[0] ?? '';
  const key = `${prefix}${intermediates}${final}`;
  if (key === 'm') return { kind: 'colours', parameters };
  // To the end of the line, where nothing stands that was not overwritten by a return, which is shown.
  if (key === 'K' && /^0*$/u.test(parameters)) return { kind: 'nothing' };
  if (key === '?h' || key === '?l') return privateMode(parameters.slice(1), csiNames[key] ?? key);
  if (final === '~' && /^20[01]$/u.test(parameters)) return mark(parameters === '200' ? 'paste start' : 'paste end');
  return mark(csiNames[key] ?? `CSI ${key}`);
}

function privateMode(modes: string, name: string): Shown {
  const painting = modes.split(';').filter((mode) => paintingModes.includes(mode));
  return painting.length === 0 ? { kind: 'nothing' } : mark(`${name} ${painting.slice(0, 4).join(';')}`);
}

function string({ introducer, payload, end, length }: Extract<Sequence, { kind: 'string' }>): Shown {
  const command = introducer === 'OSC' ? (/^\d{1,5}/u.exec(payload)?.[0] ?? '') : '';
  const name = command === '' ? introducer : `OSC ${command}`;
  if (end === 'cut') return mark(`${name} unterminated, ${length} dropped`);
  // Longer than what is kept of a payload: where it leads is not known, so it is no link.
  if (command === '8' && length <= payload.length) return link(payload) ?? mark(name);
  return introducer === 'OSC' && silentOsc.some((silent) => payload === silent || payload.startsWith(`${silent};`) || payload.startsWith(`${silent}=`)) ? { kind: 'nothing' } : mark(name);
}

/** `8;parameters;target`; a target may hold semicolons. */
function link(payload: string): Shown | undefined {
  const found = /^8;[^;]*;(?<target>.*)$/su.exec(payload);
  return found === null ? undefined : { kind: 'link', target: found.groups?.['target'] ?? '' };
}

function mark(name: string): Shown {
  return { kind: 'mark', name };
}
