const longest = 256;

/** The beginning of a text, for what is asked about places behind it. */
export class Lead {
  #text = '';
  #length = 0;

  begin(): void {
    [this.#text, this.#length] = ['', 0];
  }

  /** The part of a text between two offsets. */
  add(text: string, from: number, to: number): void {
    if (this.#length < longest) this.#text += text.slice(from, Math.min(to, from + longest - this.#length));
    this.#length += to - from;
  }

  /** What it has before the last so many code units. */
  before(units: number): string {
    return this.#text.slice(0, Math.max(0, this.#length - units));
  }
}
