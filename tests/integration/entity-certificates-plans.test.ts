import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { carriers, publishedAt } from "~db/repositories/entity-certificates.server";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { planOfQuery } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const when = { statuses: ["Issued", "Downloaded", "Renewed"] as const, now: new Date(), limit: 10 };
let companyId: number;
let codeId: number;

beforeAll(async () => {
  const owner = await createUser();
  companyId = owner.companyId;
  codeId = (await createCode(owner)).id;
  await fillCertificates(5000, { isRevoked: false, owner });
  await getDb()
    .updateTable("certificates")
    .set((eb) => ({ ssid: sql<string>`'O0177' || ${eb.ref("id")}` }))
    .execute();
  const rows = await getDb().selectFrom("certificates").select("id").orderBy("id").limit(600).execute();
  const codes = [codeId];
  while (codes.length < 60) codes.push((await createCode(owner)).id);
  const published = rows.map(({ id: certificateId }, index) => {
    const at = { codeId: codes[index % codes.length] ?? codeId, publishedAt: new Date() };
    return { ...at, certificateId, companyId };
  });
  await getDb().insertInto("entityCertificates").values(published).execute();
  await sql.raw("analyze").execute(getDb());
}, 300_000);

describe("the certificates of an entity, of a company with many", () => {
  test("[SRC-02] those that are published are found by the entity, and each by its id", async () => {
    const plan = await planOfQuery(publishedAt(getDb(), [codeId], when));
    expect(plan).toMatch(/entity_certificates_code/);
    expect(plan).not.toMatch(/Seq Scan on certificates|company_expiry|SCAN certificates/);
  });

  test("[COD-03] those that carry the OFTP ID are found by company and OFTP ID", async () => {
    const plan = await planOfQuery(carriers(getDb(), { companyId, oftpId: "O0177X" }, when));
    expect(plan).toMatch(/certificates_oftp_id/);
  });
});
