/**
 * Most octets of request content that this process buffers for searches and signatures. Attack: a box begins hundreds
 * of requests of 60 MiB and never ends them, and the machine runs out of memory.
 */
export const mostHeld = 512 * 1024 * 1024;

/** The octets that some sessions buffer together. */
export class HeldRoom {
  octets = 0;
}

/** Memory belongs to the process, so its sessions share one room. */
const ofProcess = new HeldRoom();

/**
 * The contents that one session buffers: at most half of the room that the other sessions leave. Attack: a box uses up
 * the room, and the calls of other sessions in the same supervisor have to wait.
 */
export class HeldContents {
  #octets = 0;
  readonly #room: HeldRoom;

  /** Default: the room of the process. */
  constructor(room: HeldRoom = ofProcess) {
    this.#room = room;
  }

  /** Starts the buffer of one request. */
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

/** The content that Holdfast buffers for one request. */
export class HeldContent {
  #octets = 0;
  readonly #take: (octets: number) => void;

  constructor(take: (octets: number) => void) {
    this.#take = take;
  }

  /** Throws `ContentRefused` if no room is left. */
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
