import { describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { auditEventsOf, issueCertificate, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { textOf } from "../support/outbox";
import { at, confirmed, inSeconds, inWholeSeconds, useRevoking } from "./revoking";

const { people, makeCsr, issue, send } = useRevoking();

describe("revoking a compromised key of several certificates", () => {
  /** Issues three certificates of one key: Anna's, another customer's from the other hierarchy, and one with a scheduled revocation. */
  async function issueThree() {
    const berta = await createUser();
    const csr = makeCsr().der;
    const { customer } = people;
    const mine = await issueCertificate({ customer, csr });
    const theirs = await issueCertificate({ customer, csr, order: { hierarchy: "g3" } });
    const waiting = await issueCertificate({ customer, csr });
    const moment = inSeconds(86_400);
    // From the time when a key could belong to several accounts.
    await setCertificate(theirs.id, { userId: berta.id, companyId: berta.companyId });
    await setCertificate(waiting.id, {
      userId: berta.id,
      companyId: berta.companyId,
      status: "RequestRevoke",
      revocationDate: moment,
      revocationReason: 4,
    });
    return { mine, theirs, waiting, berta };
  }

  const expectAllRevoked = async ({ mine, theirs, waiting, berta }: Awaited<ReturnType<typeof issueThree>>) => {
    const issuers = [await findIssuer(getDb(), "sha2"), await findIssuer(getDb(), "g3")];
    const [sha2, g3] = await Promise.all(issuers.map((issuer) => findLatestCrl(getDb(), issuer?.id ?? 0, false)));
    for (const [{ id, orderId, serialNumber }, list, recipient] of [
      [mine, sha2, people.customer.email],
      [theirs, g3, berta.email],
      [waiting, sha2, berta.email],
    ] as const) {
      expect(await readCertificate(id)).toMatchObject({
        status: "Revoked",
        revocationReason: 1,
        revokedBy: people.customer.id,
      });
      expect(describeCrl(list?.der ?? Buffer.alloc(0)).find(serialNumber)).toMatchObject({ reason: 1 });
      expect((await auditEventsOf(id)).filter((event) => event === "certificate.revoked")).toHaveLength(1);
      const mails = (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey === `certificate-revoked:${id}`);
      expect(mails.map((mail) => mail.recipient)).toEqual([recipient]);
      expect((await textOf(mails[0])).includes("Laptop stolen")).toBe(id === mine.id);
    }
  };

  test("[REV-03][REV-04] revokes and publishes all of them with the one and tells their owners", async () => {
    const three = await issueThree();
    const other = await issue();
    const fields = confirmed({ revocationReason: "1", revocationDescription: "Laptop stolen" });
    expect((await send(three.mine.id, fields)).status).toBe(303);
    await expectAllRevoked(three);
    expect((await readCertificate(other.id)).status).toBe("Issued");
  });

  test("[REV-03] sent again while CRLs of the other hierarchy are not stored waits for them too", async () => {
    const three = await issueThree();
    const fields = confirmed({ revocationReason: "1", revocationDescription: "Laptop stolen" });
    await send(three.mine.id, fields);
    const g3 = await findIssuer(getDb(), "g3");
    await getDb()
      .deleteFrom("crls")
      .where("authorityId", "=", g3?.id ?? 0)
      .execute();
    expect((await send(three.mine.id, fields)).status).toBe(303);
    await expectAllRevoked(three);
  });

  test("[REV-04] also applies when it was scheduled; another reason concerns one certificate", async () => {
    const three = await issueThree();
    const moment = inWholeSeconds(3600);
    const fields = confirmed({ revocationReason: "1", revocationDescription: "Laptop stolen", ...at(moment) });
    expect((await send(three.mine.id, fields)).status).toBe(303);
    for (const [{ id, orderId }, recipient] of [
      [three.mine, people.customer.email],
      [three.theirs, three.berta.email],
      [three.waiting, three.berta.email],
    ] as const) {
      const [stored, mails] = [await readCertificate(id), await mailsOf(orderId)];
      expect(stored).toMatchObject({ status: "RequestRevoke", revocationDate: moment.toISOString() });
      const notices = mails.filter(({ dedupeKey }) => dedupeKey.startsWith(`revocation-scheduled:${id}:`));
      expect(notices.map((mail) => mail.recipient)).toEqual([recipient]);
    }
    expect(await carryOutDueRevocations(moment)).toBe(3);
    await expectAllRevoked(three);

    const superseded = await issueThree();
    await send(superseded.mine.id, confirmed({ revocationReason: "4" }));
    expect((await readCertificate(superseded.theirs.id)).status).toBe("Issued");
  });
});
