import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { OutOfMemory } from './capped-quickjs.ts';

/** How a text crosses: as it is, or as JSON where it holds a NUL, at which QuickJS's own interface would end it. */
type TextForm = 'plain' | 'json';

/** The two words of a text for `prelude`. */
export function intoGuest(vm: QuickJSContext, text: string): readonly [text: QuickJSHandle, form: QuickJSHandle] {
  const form: TextForm = text.includes('\0') ? 'json' : 'plain';
  return [vm.newString(form === 'json' ? JSON.stringify(text) : text), vm.newString(form)];
}

/** The text of two words of `prelude`. Throws `OutOfMemory`. */
export function outOfGuest(vm: QuickJSContext, text: QuickJSHandle, form: QuickJSHandle): string {
  const crossed = wholeText(vm, text);
  return vm.getString(form) === 'json' ? (JSON.parse(crossed) as string) : crossed;
}

/** A text without a NUL. Throws `OutOfMemory` where there is no room for the copy that QuickJS makes of it: it gives an empty one then. */
export function wholeText(vm: QuickJSContext, handle: QuickJSHandle): string {
  const text = vm.getString(handle);
  if (text === '' && vm.getProp(handle, 'length').consume((length) => vm.getNumber(length)) > 0) throw new OutOfMemory();
  return text;
}
