import { expect, test } from "vitest";
import { LIMITS, tryToConsume } from "~/domain/limits/tries.server";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import { newProgram } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { issueCertificate } from "../support/certificates";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { newBuyer, ORDER } from "./purchase-journey";

usePortal({ RATE_LIMITS: "on" });
const people = usePeople();

const REFUSAL = /^Too many attempts: at most 120 CSRs by one account within 60 minutes\. Please try again in /;
const CSR = "-----BEGIN CERTIFICATE REQUEST----- typed by hand";

async function useUp(userId: number, left = 0): Promise<void> {
  for (let count = LIMITS["csr-account"].points; count > left; count -= 1) await tryToConsume("csr-account", userId);
}

async function expectRefused(answer: Response, field: string) {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  const { errors, values } = await errorsOf(answer);
  expect(Object.keys(errors)).toEqual([field]);
  expect(errors[field]).toMatch(REFUSAL);
  return values;
}

test("[PUR-03] too many CSRs are refused at the field with the time to wait, and the typed values are kept", async () => {
  const buyer = await newBuyer();
  await buyer.contact();
  await useUp(buyer.user.id);
  const typed = { ...ORDER, purchaseOrderNumber: "PO-77", csr: CSR, intent: "import" };
  expect(await expectRefused(await buyer.order(typed), "csr")).toMatchObject({
    csr: CSR,
    purchaseOrderNumber: "PO-77",
  });
  await expectRefused(await buyer.order({ ...typed, csrFile: new File(["x"], "new.csr") }), "csrFile");
  const { values } = await jsonOf<{ values: Record<string, string> }>(await buyer.orderPage());
  expect(values).toMatchObject({ csr: CSR, purchaseOrderNumber: "PO-77", validityPeriod: "2" });
});

test("[PUR-03] a reissue has the same limit; an empty file is reported at the file", async () => {
  const { id } = await issueCertificate({ customer: people.customer });
  const send = async (fields: Record<string, string | File>) =>
    run(reissuePage.action, await people.admin.visitor.post(`/home/certificate/reissue/${id}`, fields), {
      id: String(id),
    });
  const empty = await errorsOf(await send({ csr: "", csrFile: new File([], "empty.csr"), reason: "Key lost" }));
  expect(Object.keys(empty.errors)).toEqual(["csrFile"]);
  await useUp(people.admin.id);
  const values = await expectRefused(await send({ csr: CSR, reason: "Key lost" }), "csr");
  expect(values).toMatchObject({ csr: CSR, reason: "Key lost" });
});

test("[API-06] a JSON call counts towards the same limit, but an order without a new CSR does not", async () => {
  const { user, client } = await newProgram();
  expect(await complete(client, orderBody(CSR, { order: { validityPeriod: 9 } }))).toMatchObject({ status: 422 });
  await useUp(user.id, 1);
  const decode = () => client.post("certificates/DecodeCsrWithValidation", { csr: CSR });
  expect(await decode()).toMatchObject({ status: 200, content: { item1: null } });
  const refused = { status: 429, code: "rate-limit", text: expect.stringMatching(REFUSAL) as string, errors: {} };
  expect(await decode()).toMatchObject(refused);
  expect(await complete(client, orderBody(CSR))).toMatchObject(refused);
});
