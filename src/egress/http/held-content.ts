/**
 * Octets of contents that this process holds for searches and signatures. Attack: a box begins hundreds of requests of
 * 60 MiB and never ends them, and the machine runs out of memory.
 */
export const mostHeld = 512 * 1024 * 1024;

/** The octets that some sessions hold together. */
export class HeldRoom {
  octets = 0;
}

/** Memory belongs to the process, so its sessions share one. */
const ofProcess = new HeldRoom();

/**
 * The contents that one session holds: at most half of the room that the others leave. Attack: a box uses up the room,
 * and the calls of other sessions in the same supervisor have to wait.
 */
export class HeldContents {
  #octets = 0;
  readonly #room: HeldRoom;

  /** Default: the room of the process. */
  constructor(room: HeldRoom = ofProcess) {
    this.#room = room;
  }

  /** The contents of one request. */
  open(): HeldContent {
    return new HeldContent((octets) => this.#take(octets));
  }

  #take(octets: number): void {
    const most = (mostHeld - (this.#room.octets - this.#octets)) / 2;
    if (octets > 0 && this.#octets + octets > most)
      throw new ContentRefused('This session holds too many long contents.');
    this.#octets += octets;
    this.#room.octets += octets;
  }
}

/** The contents that one request holds. */
export class HeldContent {
  #octets = 0;
  readonly #take: (octets: number) => void;

  constructor(take: (octets: number) => void) {
    this.#take = take;
  }

  /** Throws `ContentRefused` where there is no room for more. */
  add(octets: number): void {
    this.#take(octets);
    this.#octets += octets;
  }

  release(): void {
    this.#take(-this.#octets);
    this.#octets = 0;
  }
}

export class ContentRefused extends Error {}
