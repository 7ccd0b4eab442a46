import { describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishDelta, publishCrls } from "~/domain/authorities/publishing.service.server";
import { renewBaseCrls, renewDeltaCrls, rootCrlWarnings } from "~/domain/authorities/renewal.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { claimDueMails, markMailFailed } from "~db/repositories/mails.server";
import { inTransaction } from "~db/transaction.server";
import { issueCertificate, storeRevocation } from "../support/certificates";
import { usePortal } from "../support/portal";

usePortal();

const YEARS_AHEAD = 3 * 365;
const MINUTE = 60_000;

async function latest(isDelta = false) {
  const { id } = await getAuthority(getDb(), "issuing-sha2");
  const list = await findLatestCrl(getDb(), id, isDelta);
  if (!list) throw new Error("no list");
  return { ...list, description: describeCrl(list.der) };
}

describe("a clock that was years ahead", () => {
  test("[CAL-03] does not empty a CRL: at the right time every valid certificate is published again at once", async () => {
    const now = new Date();
    const revoked = await Promise.all(Array.from({ length: 7 }, () => issueCertificate()));
    for (const certificate of revoked) await storeRevocation(certificate, { at: now });
    await publishCrls("issuing-sha2", now);
    await publishCrls("issuing-g3", now);

    const wrong = addDays(now, YEARS_AHEAD);
    await publishCrls("issuing-sha2", wrong);
    await publishCrls("issuing-sha2", addDays(wrong, 1)); // expired certificates are on one more base CRL, but not on this one
    expect((await latest()).entryCount).toBe(0);

    const later = new Date(now.getTime() + MINUTE);
    expect(await renewBaseCrls(later)).toBe(1);
    const base = await latest();
    expect(base.entryCount).toBe(7);
    for (const { serialNumber } of revoked) expect(base.description.find(serialNumber)).not.toBeNull();
    expect(base.nextUpdate < addDays(now, 8).toISOString()).toBe(true);
    expect(await renewBaseCrls(later)).toBe(0);
  });

  test("[CAL-03] does not spoil delta CRLs, which are renewed and never refer to a base CRL dated ahead", async () => {
    const now = addDays(new Date(), 30);
    const wrong = addDays(now, YEARS_AHEAD);
    await publishCrls("issuing-sha2", wrong);
    await publishCrls("issuing-g3", now);
    const ahead = await latest();
    expect(await renewDeltaCrls(now)).toBe(1);
    const delta = await latest(true);
    expect(delta.thisUpdate < addDays(now, 1).toISOString()).toBe(true);
    expect(delta.baseNumber).toBe(delta.number); // every earlier base CRL has ended or is in the future, so a new one was published with it
    expect((await latest()).number).toBeGreaterThan(ahead.number);
    expect((await latest()).entryCount).toBe(7);
    await publishDelta("issuing-sha2", now);
    expect((await latest(true)).baseNumber).toBe(delta.number);
  });

  test("[CAL-03] by some minutes is no reason to publish again", async () => {
    const now = addDays(new Date(), 60);
    await publishCrls("issuing-sha2", new Date(now.getTime() + 4 * MINUTE));
    await publishCrls("issuing-g3", now);
    expect([await renewBaseCrls(now), await renewDeltaCrls(now)]).toEqual([0, 0]);
  });

  test("[CAL-03] leads to a warning about a root's CRL dated ahead", async () => {
    const now = new Date("2027-01-01T00:00:00Z");
    await publishCrls("root", new Date("2028-05-06T00:00:00Z"), { allowRoot: true });
    await publishCrls("root-g3", now, { allowRoot: true });
    expect(await rootCrlWarnings(now)).toEqual([
      "The CRL of 'root' is valid only from 06/05/2028: run 'npm run portal -- ca publish --roots' or 'ca import-list'.",
    ]);
  });

  test("[MAI-01] does not delay messages whose next try or lease it recorded", async () => {
    const now = new Date();
    const wrong = addDays(now, YEARS_AHEAD);
    await getDb().deleteFrom("mails").execute(); // removes the messages about the certificates above
    const mail = { subject: "s", text: "t", html: "h" };
    for (const dedupeKey of ["reset-code:failed", "reset-code:leased"] as const)
      await inTransaction((trx) => queueMail(trx, { dedupeKey, to: "a@example.com", mail }, now));
    const until = new Date(wrong.getTime() + MINUTE);
    const [first] = await claimDueMails(getDb(), { now: wrong, until, limit: 2 });
    if (!first) throw new Error("nothing claimed");
    await markMailFailed(getDb(), first, { error: "refused", now: wrong, nextAttemptAt: addDays(wrong, 0.25) });

    const soon = { now, until: new Date(now.getTime() + MINUTE), limit: 5 };
    expect(await claimDueMails(getDb(), soon)).toHaveLength(2);
    expect(await claimDueMails(getDb(), soon)).toEqual([]);
  });
});
