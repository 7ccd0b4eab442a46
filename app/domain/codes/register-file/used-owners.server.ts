import { type Trx } from "~db/connection.server";
import { holdOwners, type RegisterOwner } from "~db/repositories/code-register.server";
import { refreshOwnersCodes } from "../owner-columns.server";

/** The number of accounts that are locked in one statement. */
const BATCH = 500;

/**
 * The accounts to which imported codes belong, as they were when the codes were written. They can change during a long import, because
 * locking them for all that time would keep their users from logging in.
 */
export class UsedOwners {
  private readonly seen = new Map<string, number>();

  add(owner: RegisterOwner): void {
    this.seen.set(JSON.stringify(owner), owner.id);
  }

  /**
   * Must be called after the last row. Locks the accounts, and updates the search columns of the codes whose account has changed. Throws
   * when an account was merged.
   */
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
