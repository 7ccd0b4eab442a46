import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { issueAccessToken } from "~/domain/accounts/tokens/api-tokens.service.server";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { getDb } from "~db/connection.server";
import { ApiClient } from "../support/api";
import { orderBody, WIRE_CONTACT, WIRE_INVOICE } from "../support/api-orders";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { createAvailableCodes, createCode } from "../support/codes";
import { type DescribedRequest, type Known, operations, requestsOf } from "../support/described-requests";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { sized } from "../support/volume";

usePortal();
const { makeCsr } = useOpenssl();

/** The total number of requests. API_FUZZ_SEED repeats those of a failure. */
const REQUESTS = Number(process.env.API_FUZZ_REQUESTS ?? sized(1500, 10_000));
const seed = process.env.API_FUZZ_SEED === undefined ? {} : { seed: Number(process.env.API_FUZZ_SEED) };
const CALLS = operations();
const EACH = Math.ceil(REQUESTS / CALLS.length);

const CALLERS = ["customer", "staff", "both", "nobody"] as const;
const callers = {} as Record<Exclude<(typeof CALLERS)[number], "nobody">, number>;
const csrs: string[] = [];

/** The ids of existing things of any kind. */
const ids: number[] = [];

/** Values that the portal accepts, by field. */
const TAKEN: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(
    Object.entries({ ...orderBody("").order, ...WIRE_INVOICE, ...WIRE_CONTACT }).map(([name, value]) => [
      name,
      [value],
    ]),
  ),
  promoCode: [" "],
  oftpid: [" "],
  previousOrderId: [null],
  reasonTypeId: [3],
  years: ["1"],
  telephoneNumber: ["+44 20 7946 0000"],
  phone: ["+44 20 7946 0000"],
  firstName: ["Anna"],
  lastName: ["Müller"],
  jobTitle: ["Head of EDI"],
  companyRegistrationNumber: ["01234567"],
  vatNumber: [""],
  taxNumber: [" "],
  street1: ["1 Mill Lane"],
  postcode: ["CV1 1AA"],
  code: ["AB1C", " "],
  subCode: [" "],
  orderNumber: [" "],
  entityName: ["Example Works"],
  codeType: ["OSCAR Code Full"],
  subcode: ["P2", " "],
  quantity: [1, 999],
  banner: ["https://images.example/b.png"],
  link: ["https://example.org/"],
  tooltip: ["Conference"],
  grant_type: ["password"],
  currentPassword: [TEST_PASSWORD],
  password: [TEST_PASSWORD],
  resetEmail: ["known@example-parts.com"],
  emailAddress: ["known@example-parts.com"],
  username: ["known@example-parts.com"],
  Username: ["new@example-parts.com"],
  userName: [" ", "known"],
  page: ["1", "2"],
  pageSize: ["1", "1000"],
  status: ["Open", " "],
  orderType: [" ", "OSCAR Code Full"],
  certificateType: ["PEM", "DER"],
  fileExtension: ["CER"],
  type: ["PEM", "DER"],
  extension: ["CER"],
  from: ["01/01/0001", "2020-01-01"],
  to: ["01/01/0001", "2030-01-01T00:00:00Z"],
  fileName: ["sales-orders.csv"],
};

const known: Known = (name, { type }) => {
  if (name === "csr") return csrs;
  if (name === "country") return type === "string" ? ["826", "-1"] : [];
  if (Object.hasOwn(TAKEN, name)) return TAKEN[name] ?? [];
  if (/ids?$/i.test(name) && type !== "array") return type === "string" ? ids.map(String) : ids;
  return /date$/i.test(name) ? ["2026-01-01", "01/02/2026", "2026-01-01T00:00:00Z"] : [];
};

beforeAll(async () => {
  const customer = await createUser({ email: "known@example-parts.com" });
  const [both, staff] = [await createUser({ isAdmin: true }), await createAdmin()];
  Object.assign(callers, { customer: customer.id, both: both.id, staff: staff.id });
  csrs.push(...[1, 2, 3].map((number) => makeCsr({ san: [`DNS:host-${number}.example`] }).pem));
  for (const owner of [customer, both]) {
    const certificate = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const { id: pending } = await createCertificateOrder(owner, makeCsr().der);
    const { id: parentId, code } = await createCode(owner);
    const { id: subcode } = await createCode(owner, { code, subcode: "P1", parentId });
    await createAvailableCodes(owner, "Full", 20);
    const orderId = await createInvoiceableOrder(owner);
    await issueInvoice(orderId, { id: staff.id, name: "staff" });
    ids.push(owner.id, certificate.id, certificate.orderId, pending, parentId, subcode, orderId);
  }
});

/** Returns a valid token, even if earlier calls have ended the sessions of the account. */
async function tokenOf(caller: (typeof CALLERS)[number]): Promise<string> {
  if (caller === "nobody") return "";
  const id = callers[caller];
  const { sessionEpoch } = await getDb()
    .selectFrom("users")
    .select("sessionEpoch")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return issueAccessToken({
    owner: { id, epoch: sessionEpoch },
    impersonator: undefined,
    client: NO_CLIENT,
    proof: "password",
  });
}

/** Sends a request and returns the status. Fails when the description does not contain the answer. */
async function statusOf(method: string, { pathAndQuery, ...sent }: DescribedRequest, caller: (typeof CALLERS)[number]) {
  const client = new ApiClient(await tokenOf(caller));
  return (await client.send(pathAndQuery, { method, ...sent })).status;
}

test.each(CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "[API-06] %s is answered as described and never with 500, whatever is sent",
  { timeout: 60_000 + EACH * 2_000 },
  async (_, call) => {
    const requests = fc.tuple(requestsOf(call, known), fc.constantFrom(...CALLERS));
    const isAnswered = fc.asyncProperty(requests, async ([request, caller]) => {
      await setImmediate(); // lets the test runner communicate with this process
      expect(await statusOf(call.method, request, caller)).toBeLessThan(500);
    });
    await fc.assert(isAnswered, { numRuns: EACH, ...seed });
  },
);
