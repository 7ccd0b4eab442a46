import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE_SORTS } from "~/domain/certificates/catalogue/certificate-list";
import { getConnection, getDb } from "~db/connection.server";
import { type CertificateFilter, certificatesQuery } from "~db/repositories/certificate-list.server";
import { createUser } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { planOfQuery } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const ORDERS = CERTIFICATE_SORTS.flatMap((key) => [
  { key, direction: "asc" } as const,
  { key, direction: "desc" } as const,
]);
const isPostgres = () => getConnection().dialect === "postgres";
let companyId: number;

beforeAll(async () => {
  await fillCertificates(12_000, { isRevoked: false });
  await fillCertificates(1000, { isRevoked: true });
  const owner = await createUser();
  companyId = owner.companyId;
  await fillCertificates(3000, { isRevoked: false, owner });
  const day = new Date("2020-01-01T00:00:00Z");
  const fourth = sql<boolean>`id % 4 = 0`;
  await getDb().updateTable("certificates").set({ startDate: null, expiryDate: null }).where(fourth).execute();
  await getDb().updateTable("certificates").set({ status: "Pending", requestedAt: day }).where(fourth).execute();
  // as the database does by itself after some time
  await sql.raw(isPostgres() ? "vacuum analyze certificates" : "analyze").execute(getDb());
}, 300_000);

function planOf(filter: Partial<CertificateFilter>, sort: (typeof ORDERS)[number]): Promise<string> {
  return planOfQuery(certificatesQuery(getDb(), { terms: [], ...filter }, { sort, offset: 10, limit: 10 }));
}

/** Expects that the rows are read in the order of the list. PostgreSQL may still sort rows that are equal in the index by their ids. */
function expectInOrder(plan: string): void {
  expect(plan).toMatch(isPostgres() ? /Index (Only )?Scan/ : /^(SCAN|SEARCH) certificates/m);
  expect(plan).not.toMatch(/Seq Scan|-> +Sort |TEMP B-TREE/);
}

describe("the list of a large number of certificates", () => {
  test.each(ORDERS)("[CER-02] reads everybody's by $key, $direction from an index in its order", async (sort) => {
    expectInOrder(await planOf({}, sort));
  });

  test.each([
    { key: "id", direction: "asc" },
    { key: "id", direction: "desc" },
    { key: "commonName", direction: "asc" },
    { key: "commonName", direction: "desc" },
    { key: "certificateRequestDate", direction: "desc" },
    { key: "certificateExpiryDate", direction: "asc" },
    { key: "certificateExpiryDate", direction: "desc" },
  ] as const)("[CER-02] reads a company's by $key, $direction from an index in its order", async (sort) => {
    expectInOrder(await planOf({ companyId }, sort));
  });

  test("[MAN-03] reads the queue from an index in its order", async () => {
    expectInOrder(await planOf({ statuses: ["Pending"] }, { key: "certificateRequestDate", direction: "asc" }));
  });
});
