/** How often each text came, in the order of their first. Bounded: whoever chooses the texts must not fill the memory. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(text: string, count = 1): void {
    const known = this.#counts.get(text);
    if (known === undefined && this.#counts.size >= mostTexts) this.#others += count;
    else this.#counts.set(text, (known ?? 0) + count);
  }

  /** `allow × 2, deny`; empty for none. */
  toString(): string {
    const texts = Array.from(this.#counts, ([text, count]) => (count === 1 ? text : `${text} × ${count}`));
    return [...texts, ...(this.#others === 0 ? [] : [`${this.#others} others`])].join(', ');
  }
}

const mostTexts = 20;
