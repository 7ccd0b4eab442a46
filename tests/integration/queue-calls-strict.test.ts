import { expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { makeClient, programOf } from "../support/api-clients";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal({}, "strict");
const { makeCsr } = useOpenssl();

const order = async (given: Parameters<typeof createCertificateOrder>[2]) =>
  (await createCertificateOrder(await createUser(), makeCsr().der, given)).id;

/** Returns why an administrator cannot approve an order. */
async function refusalOf({ email }: { email: string }, id: number): Promise<string> {
  const person = await apiClientOf(email, TEST_PASSWORD);
  const { content } = await person.post<{ error: string }[]>("certificates/ApproveOrders", { certificateIds: [id] });
  return content[0]?.error ?? "";
}

test("[MAN-03] whoever recorded a check by a call does not approve the order", async () => {
  const staff = await createAdmin();
  const id = await order({ ...checksDone(), csrCheckedAt: null, csrCheckedBy: null, csrNote: null });
  const person = await apiClientOf(staff.email, TEST_PASSWORD);
  expect((await person.post("Queue/RecordChecks", { certificateId: id, csr: "Agrees" })).status).toBe(200);
  expect(await refusalOf(staff, id)).toContain("'CSR and company'");
});

test("[MAN-03] whoever answers for a client that gave evidence does not approve the order", async () => {
  const staff = await createAdmin();
  const credentials = await makeClient(staff, ["queue:read"], { kind: "staff" });
  // as when a second user administrator has approved the scope
  await getDb().updateTable("apiClients").set({ scopes: "queue:write" }).where("id", "=", credentials.id).execute();
  const program = await programOf(credentials);
  const id = await order(checksDone());
  const evidence = { certificateId: id, check: "organisation", text: "Active" };
  expect((await program.post("Queue/AddEvidence", evidence)).status).toBe(200);
  expect(await refusalOf(staff, id)).toContain("'Evidence for a check'");
});
