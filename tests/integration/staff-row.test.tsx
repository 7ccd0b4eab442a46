import { describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { getDb } from "~db/connection.server";
import { MOST_COUNTED } from "~db/repositories/work-counts.server";
import { type StaffRight } from "~db/tables";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { setVariables } from "../support/variables";
import { jsonOf, signedInAs } from "../support/visitor";

usePortal();

/** Returns the row of staff as the root loader gives it to this user. */
async function rowOf(user: { id: number }) {
  const visitor = await signedInAs(user);
  return (await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")))).user?.staffRow;
}
const labels = async (...rights: StaffRight[]) => {
  const row = await rowOf(await createStaff(rights));
  return [row?.places.map(({ label }) => label), row?.more.map(({ label }) => label)];
};

describe("[DSH-02] the row of staff", () => {
  test("has the pages that the rights open", async () => {
    expect(await labels("approver")).toEqual([
      ["Overview", "Queue", "Certificates", "Codes"],
      ["Companies", "Standing authorisations", "Certificate audit"],
    ]);
    expect(await labels("finance")).toEqual([
      ["Overview", "Queue", "Orders", "Certificates", "Codes"],
      ["Companies", "Standing authorisations", "Promotion codes"],
    ]);
    expect(await labels("operator")).toEqual([["Overview"], ["Certificate audit", "Jobs", "Email", "Manage Secure"]]);
    expect(await rowOf(await createUser())).toBeNull();
    setVariables({ SIGNER_SOCKET: "/nowhere/socket", CA_PASSPHRASE: "" });
    expect((await labels("approver"))[1]).toEqual([
      "Companies",
      "Standing authorisations",
      "Certificate audit",
      "Signer",
    ]);
  });

  test("counts what waits, up to a limit", async () => {
    const admin = await createAdmin();
    const queue = async () => (await rowOf(admin))?.places.find(({ label }) => label === "Queue")?.waits;
    expect(await queue()).toBeUndefined();
    const customer = await createUser();
    await createCertificateOrder(customer);
    await createCertificateOrder(customer);
    expect(await queue()).toEqual({ count: "2", what: "pending" });
    const at = new Date();
    const { id: auditId } = await getDb()
      .insertInto("certificateAudits")
      .values({ startedAt: at, afterId: 0, checked: 0 })
      .returning("id")
      .executeTakeFirstOrThrow();
    const finding = { rule: "crl", certificateId: null, cause: "", firstSeenAt: at, lastSeenAt: at, auditId };
    const many = Array.from({ length: MOST_COUNTED + 1 }, (_, index) => ({ ...finding, subject: `CRL ${index}` }));
    for (let start = 0; start < many.length; start += 100)
      await getDb()
        .insertInto("auditFindings")
        .values(many.slice(start, start + 100))
        .execute();
    const audit = (await rowOf(admin))?.more.find(({ label }) => label === "Certificate audit");
    expect(audit?.waits).toEqual({ count: "999+", what: "open" });
  });
});
