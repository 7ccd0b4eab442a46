import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/**
 * How many statements have names at most. Each connection keeps all of them, with a few ten kilobytes for each on the server.
 */
const MOST_NAMES = 200;
/** A statement gets a name when it is used for the third time, so that those that are used once take no place. */
const USES = 3;
/** PostgreSQL cuts off names of more than 63 characters. */
const HASH_LENGTH = 40;

/**
 * Statements that look for rows among many: what is best for them depends on the values, so the server plans them each time. All others find
 * rows by their keys.
 */
const DEPENDS_ON_VALUES = /\blimit\b|\blike\b|\bcount\(/i;

/** No plan belongs to these: they begin and end transactions, change the schema, or set something. */
const HAS_PLAN = /^\s*(select|insert|update|delete|with)\b/i;

/** A statement as the driver takes it when it has a name. */
export interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Names for statements that are used again and again. PostgreSQL parses a statement with a name once for each connection, and after five uses
 * it may keep its plan, too (PostgreSQL documentation, PREPARE).
 */
export class StatementNames {
  readonly #uses = new LRUCache<string, number>({ max: 1000 });
  readonly #names = new Map<string, string>();
  #generation = 1;

  /** Returns the statement with its name, or null when it has none. Counts the use. */
  named(text: string, values: unknown[]): NamedStatement | null {
    const known = this.#names.get(text);
    if (known !== undefined) return { name: known, text, values };
    if (this.#names.size >= MOST_NAMES || !HAS_PLAN.test(text) || DEPENDS_ON_VALUES.test(text)) return null;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses < USES) return null;
    // The hash, so that a name means the same statement to all processes, also behind a pooler that they share.
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH)}_${this.#generation}`;
    this.#names.set(text, name);
    return { name, text, values };
  }

  /** Forgets all names, so that statements are parsed again under new ones. */
  forget(): void {
    this.#names.clear();
    this.#generation += 1;
  }
}

/**
 * Returns whether a statement with a name must be parsed again: a table has got another column (0A000), or the server does not know the name
 * (26000) or knows it for something else (42P05), for example because a pooler stands between.
 */
export function mustParseAgain(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === "0A000") return typeof message === "string" && message.includes("cached plan");
  return code === "26000" || code === "42P05";
}
