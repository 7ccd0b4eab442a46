import { type Trx } from "~db/connection.server";
import { holdOwners, type RegisterOwner } from "~db/repositories/code-register.server";
import { refreshOwnersCodes } from "../owner-columns.server";

/** Accounts that are held in one statement. */
const BATCH = 500;

/**
 * The accounts that an import's codes are found by, as they were when the codes were written. They can change while a long file goes in:
 * holding them all that time would keep their people from logging in.
 */
export class UsedOwners {
  private readonly seen = new Map<string, number>();

  add(owner: RegisterOwner): void {
    this.seen.set(JSON.stringify(owner), owner.id);
  }

  /** After the last row: holds the accounts, and sets anew what the codes of those that were changed are found by. Throws when one was merged. */
  async settle(trx: Trx): Promise<void> {
    const ids = [...new Set(this.seen.values())];
    const now = new Set<string>();
    for (let from = 0; from < ids.length; from += BATCH)
      for (const owner of await holdOwners(trx, ids.slice(from, from + BATCH))) {
        if (owner.mergedInto !== null)
          throw new Error(`The account '${owner.username}' was merged meanwhile. Nothing was imported.`);
        now.add(JSON.stringify(owner));
      }
    const changed = [...this.seen].filter(([owner]) => !now.has(owner)).map(([, id]) => id);
    for (const id of new Set(changed)) await refreshOwnersCodes(trx, id);
  }
}
