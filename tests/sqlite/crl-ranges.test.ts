import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { fillCertificates } from "../support/many-certificates";
import { usePortal } from "../support/portal";
import { statementsOf } from "../support/statements";

usePortal();

/** Spread over many CRL numbers, all on one of them, and with long gaps. */
const SPREADS = {
  "one each": sql`id`,
  "most on one": sql`case when id % 10 = 0 then id else 5 end`,
  "the last ones on one": sql`case when id % 10 = 0 then 1 + id % 100 else 900000 end`,
};

test("[CAL-03] a base CRL that is read in parts has every entry once, however the entries are spread over earlier CRLs", async () => {
  const ENTRIES = 11_000;
  await fillCertificates(ENTRIES, { isRevoked: true });
  const { id } = await getAuthority(getDb(), "issuing-sha2");
  const serials = await getDb()
    .selectFrom("certificates")
    .select("serialNumber")
    .where("authorityId", "=", id)
    .execute();
  await getDb().updateTable("authorities").set({ crlNumber: 1_000_000 }).where("id", "=", id).execute();
  for (const [name, number] of Object.entries(SPREADS)) {
    await sql`update certificates set first_crl_number = ${number} where authority_id = ${id}`.execute(getDb());
    await publishCrls("issuing-sha2");
    const reads = (await statementsOf(() => publishCrls("issuing-sha2"))).filter((text) =>
      text.includes("group_concat"),
    );
    expect(reads.length, name).toBeGreaterThan(2);
    expect(reads.length, name).toBeLessThan(40);
    const crl = describeCrl((await findLatestCrl(getDb(), id, false))?.der ?? Buffer.alloc(0));
    expect(crl.entryCount, name).toBe(ENTRIES);
    for (const { serialNumber } of serials.filter((_, index) => index % 500 === 0))
      expect(crl.find(serialNumber ?? ""), name).not.toBeNull();
  }
});
