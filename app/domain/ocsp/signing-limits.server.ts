import { LRUCache } from "lru-cache";

/**
 * How many signatures are made at the same time in this process. One keeps a core busy while the main thread reads the next requests; the
 * other threads of the pool stay free for passwords, files and the keys of the CAs.
 */
const AT_ONCE = 2;
/** How many signatures may wait, in all and for one network. 1000 of them take about half a second of a core. */
const MOST_WAITING = 1000;
const MOST_OF_A_NETWORK = 250;

/** Makes a few signatures at a time. Networks take turns, so that many requests from one network delay only each other. */
export class SignatureTurns {
  private running = 0;
  private waiting = 0;
  /** What waits, by network. The network at the front is the next. */
  private readonly queues = new Map<string, (() => void)[]>();

  /** Returns the result of `sign` when its turn has come, or null at once when too much is waiting. */
  async run<T>(network: string, sign: () => Promise<T>): Promise<T | null> {
    if (this.running < AT_ONCE) this.running += 1;
    else {
      const queue = this.queues.get(network) ?? [];
      if (this.waiting >= MOST_WAITING || queue.length >= MOST_OF_A_NETWORK) return null;
      this.queues.set(network, queue);
      this.waiting += 1;
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await sign();
    } finally {
      this.next();
    }
  }

  /** Gives the turn that ends to the network that has waited longest. */
  private next(): void {
    for (const [network, queue] of this.queues) {
      const begin = queue.shift();
      this.queues.delete(network);
      if (queue.length > 0) this.queues.set(network, queue);
      this.waiting -= 1;
      return begin?.();
    }
    this.running -= 1;
  }
}

/** How many signatures a network gets in a second from this process, and how many at once after a pause. */
export const SIGNATURES_A_SECOND = 200;
export const SIGNATURES_AFTER_PAUSE = 1000;

const MOST_NETWORKS = 10_000;

/**
 * Limits how many signatures a network can request. Prepared answers need none and are not counted, so the many clients behind a proxy share
 * a limit only for requests with a nonce. It is counted in memory, because a row in the database would cost more than a signature.
 */
export class SignatureLimit {
  private readonly left = new LRUCache<string, { signatures: number; at: number }>({ max: MOST_NETWORKS });

  /** Returns whether the network may have another signature at `now`, a time in milliseconds, and counts it. */
  allows(network: string, now: number): boolean {
    const known = this.left.get(network) ?? { signatures: SIGNATURES_AFTER_PAUSE, at: now };
    const regained = (Math.max(now - known.at, 0) * SIGNATURES_A_SECOND) / 1000;
    const signatures = Math.min(known.signatures + regained, SIGNATURES_AFTER_PAUSE);
    const isAllowed = signatures >= 1;
    this.left.set(network, { signatures: isAllowed ? signatures - 1 : signatures, at: now });
    return isAllowed;
  }
}
