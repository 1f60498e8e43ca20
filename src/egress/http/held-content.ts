/**
 * Octets of contents that this process holds for searches and signatures. Attack: a box begins hundreds of requests of
 * 60 MiB and never ends them, and the machine runs out of memory.
 */
export const mostHeld = 512 * 1024 * 1024;

let held = 0;

/** The contents that one request holds. */
export class HeldContent {
  #octets = 0;

  /** Throws `ContentRefused` where there is no room for more. */
  add(octets: number): void {
    if (held + octets > mostHeld) throw new ContentRefused('This process holds too many long contents.');
    held += octets;
    this.#octets += octets;
  }

  release(): void {
    held -= this.#octets;
    this.#octets = 0;
  }
}

export class ContentRefused extends Error {}
