import { describe, expect, test } from "vitest";
import { endRetention } from "~/domain/accounts/personal-data/retention.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { storedUser } from "../support/administration";
import { verified } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createColleague, invite } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const daysAgo = (days: number) => addDays(new Date(), -days);

/** Creates an account that registered so many days ago and has not confirmed its address. */
const createUnconfirmed = (days: number, given: Parameters<typeof createUser>[0] = {}) =>
  createUser({ emailVerifiedAt: null, createdAt: daysAgo(days), lastLoginAt: daysAgo(days), ...given });

const isErased = async (user: { id: number }) => (await storedUser(user)).erasedAt !== null;

describe("the nightly job that ends retention", () => {
  test("erases accounts that were never confirmed and never used after 30 days, and no others", async () => {
    const unused = await createUnconfirmed(31);
    const kept = [
      await createUnconfirmed(29),
      await createUnconfirmed(31, { emailVerifiedAt: daysAgo(31) }),
      await createUnconfirmed(31, { lastLoginAt: daysAgo(5) }),
      await createUnconfirmed(31, { lastLoginAt: null }), // imported
      await createUnconfirmed(31, { isAdmin: true }),
      await createUnconfirmed(31),
      await createUnconfirmed(31),
    ] as const;
    await createCertificateOrder(kept[5], undefined, { status: "Cancelled" });
    await createColleague(kept[6], "reader");
    await createAdmin();
    expect(await endRetention(new Date())).toMatch(/^1 accounts erased/);
    expect(await isErased(unused)).toBe(true);
    expect(await Promise.all(kept.map(isErased))).toEqual(kept.map(() => false));
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("userId", "=", unused.id)
      .execute();
    expect(entries.at(-1)?.message).toContain("the email address was never confirmed, and the account was never used");
    expect(await endRetention(new Date())).toMatch(/^0 accounts erased/);
    expect((await verified()).problems).toEqual([]);
  });

  test("removes invitations 90 days after they ended, and requests to a second administrator after 400", async () => {
    const owner = await createUser();
    for (const name of ["used", "expired", "open", "recent"]) await invite(owner, `${name}@zwoelfender.example`);
    const set = (name: string, change: { endedAt?: Date; expiresAt?: Date }) =>
      getDb().updateTable("invitations").set(change).where("email", "=", `${name}@zwoelfender.example`).execute();
    await set("used", { endedAt: daysAgo(91) });
    await set("expired", { expiresAt: daysAgo(91) });
    await set("recent", { endedAt: daysAgo(89) });
    const request = { kind: "erase", userId: owner.id, right: null, reason: "", requestedBy: owner.id } as const;
    const times = { requestedAt: daysAgo(500), expiresAt: daysAgo(493) };
    await getDb()
      .insertInto("dualControlRequests")
      .values([
        { ...request, ...times },
        { ...request, ...times, decidedAt: daysAgo(401), outcome: "refused" },
        { ...request, ...times, decidedAt: daysAgo(399), outcome: "refused" },
      ])
      .execute();
    expect(await endRetention(new Date())).toMatch(/2 invitations and 2 requests removed$/);
    const left = await getDb()
      .selectFrom("invitations")
      .select("email")
      .where("invitedBy", "=", owner.id)
      .orderBy("id")
      .execute();
    expect(left.map(({ email }) => email)).toEqual(["open@zwoelfender.example", "recent@zwoelfender.example"]);
    expect(await endRetention(new Date())).toMatch(/0 invitations and 0 requests removed$/);
  });
});
