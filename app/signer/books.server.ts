import { log } from "~/lib/log.server";
import { FactorRegister } from "./factor-register.server";
import { type EntryContent, type JournalEntry } from "./journal-entry.server";
import { Journal } from "./journal.server";
import { Ledger } from "./ledger.server";

/** The journal and what follows from it. */
export interface OpenBooks {
  journal: Journal;
  /** What was signed. */
  ledger: Ledger;
  /** Who may grant, and what was granted. */
  register: FactorRegister;
}

function count({ ledger, register }: Omit<OpenBooks, "journal">, content: EntryContent, time: string): void {
  if ("issuer" in content) {
    ledger.apply(content, time);
    if (content.standing !== undefined) register.standing.count(content.standing);
  } else if (content.kind !== "passphrase-changed") register.apply(content, time);
}

/** Opens the journal in the folder of the signer, and derives everything else from it. */
async function openBooks(directory: string): Promise<OpenBooks> {
  const derived = { ledger: new Ledger(), register: new FactorRegister() };
  const journal = await Journal.open(directory, {
    onEntry: (entry: JournalEntry) => count(derived, entry, entry.time),
    onTorn: (bytes) => log().warn({ bytes }, "the last line of the journal was torn by a crash and was cut off"),
  });
  return { journal, ...derived };
}

/** The books of the signer: its journal, and what is derived from it, so that there is nothing that could disagree with it. */
export class Books {
  private opened: Promise<OpenBooks> | null = null;
  private current: OpenBooks | null = null;
  /** Resolves when the books before are closed, so that no file has two journals. */
  private closed: Promise<unknown> = Promise.resolve();

  constructor(private readonly directory: string) {}

  /** Returns the open books. After a failed write they are read from the disk again. Throws an Error when the journal is damaged. */
  open(): Promise<OpenBooks> {
    if (this.opened) return this.opened;
    const opening = this.closed.then(() => openBooks(this.directory));
    this.opened = opening;
    opening.then(
      (books) => (this.current = books),
      () => (this.opened = null),
    );
    return opening;
  }

  /** Closes books whose counters have a line that the journal has not. */
  private drop(books: OpenBooks): void {
    this.opened = null;
    this.current = null;
    this.closed = books.journal.close().catch(() => undefined);
  }

  /**
   * Counts what a line says, at once, and resolves when the line is on the disk.
   *
   * @param books What `open` returned. Nothing may wait between the checks for which they were used and this call, so that requests that arrive
   *   at once are counted one after the other.
   * @throws Refusal `unavailable` when the line cannot be written. It is counted no longer then.
   */
  async add(content: EntryContent, books: OpenBooks, now: Date): Promise<void> {
    count(books, content, now.toISOString());
    try {
      await books.journal.append(content, now);
    } catch (error) {
      if (this.current === books) this.drop(books);
      await this.closed;
      throw error;
    }
  }
}
