/**
 * Waits for the disk on behalf of many at once: one wait makes safe everything that was written before it began, so those who ask during a
 * wait share the next one.
 */
export class SharedSync {
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #failure: unknown = null;

  /** @param sync Resolves when the disk has everything that was written before the call. */
  constructor(private readonly sync: () => Promise<void>) {}

  /**
   * Resolves when the disk has everything that was written before this call. After a failure all later calls reject, too: the system may have
   * forgotten what it could not write, and everything that was written since would be lost with it.
   */
  wait(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = () => {
      this.#next = null;
      return this.#begin();
    };
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  /** Resolves when nobody waits any more. */
  async settle(): Promise<void> {
    while (this.#next ?? this.#running) await Promise.allSettled([this.#next, this.#running]);
  }

  #begin(): Promise<void> {
    this.#running = this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(): Promise<void> {
    if (this.#failure !== null) throw this.#failure as Error;
    try {
      await this.sync();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
