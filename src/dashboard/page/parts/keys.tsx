import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { focusOn } from '../focus-on.ts';
import { hashOf, views } from '../state.ts';
import { Dialog } from './basics.tsx';

const lines: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['1', '–', String(views.length)], 'Go to a view, in the order of the list'],
  [['/'], 'Search the journal'],
  [['↑', '↓'], 'Move through rows and events'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close the open row or panel'],
  [['?'], 'Show these keys'],
];

/**
 * The list of keys, opened by `?` or a button. Single-letter keys can be turned off, because some people control their
 * browser by voice.
 */
export function KeyList(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [letters, setLetters] = useState(sessionStorage.getItem(stored) ?? 'on');
  useEffect(() => {
    sessionStorage.setItem(stored, letters);
    if (letters === 'off') return undefined;
    const pressed = (event: KeyboardEvent): void => act(event, () => setOpen(true));
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [letters]);
  return (
    <>
      <button type="button" class="keys-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Keys <kbd aria-hidden="true">?</kbd>
      </button>
      {open ? (
        <Dialog title="Keys" closed={() => setOpen(false)}>
          {(close) => (
            <>
              <dl class="keys">{lines.map(keyLine)}</dl>
              <label class="choice">
                <input
                  type="checkbox"
                  checked={letters === 'on'}
                  onChange={({ currentTarget }) => setLetters(currentTarget.checked ? 'on' : 'off')}
                />
                Use keys of one letter
              </label>
              <div class="buttons">
                <button type="button" onClick={() => close('')}>
                  Close
                </button>
              </div>
            </>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

const stored = 'holdfast-letters';

function keyLine([keys, what]: (typeof lines)[number]): JSX.Element {
  return (
    <div class="key-line" key={what}>
      <dt>{keys.map((key) => (key === '–' ? key : <kbd key={key}>{key}</kbd>))}</dt>
      <dd>{what}</dd>
    </div>
  );
}

/** Handles single-letter keys, except while someone writes or answers. */
function act(event: KeyboardEvent, show: () => void): void {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  const isWriting = target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
  if (isWriting || altKey || ctrlKey || metaKey || document.querySelector('dialog[open]') !== null) return;
  const view = /^[1-9]$/u.test(key) ? views[Number(key) - 1] : undefined;
  if (key === '?') show();
  else if (key === '/') searchJournal();
  else if (view === undefined) return;
  else {
    location.hash = hashOf(view.name);
    focusOn('main');
  }
  event.preventDefault();
}

/** If another view is open, the field appears some frames later. */
function searchJournal(frames = 30): void {
  const field = document.querySelector<HTMLElement>('input[type=search]');
  if (field !== null) field.focus();
  else if (frames > 0) {
    if (!location.hash.startsWith(hashOf('journal'))) location.hash = hashOf('journal');
    requestAnimationFrame(() => searchJournal(frames - 1));
  }
}
