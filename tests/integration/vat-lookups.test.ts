import { expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import { codeOrderBody, COMPLETE, complete, orderBody, ordersOf } from "../support/api-orders";
import { TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { customer, GB_VAT, save } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { buyerAtInvoice, DE } from "./purchase-journey";

const service = useVatServer();
usePortal({ RATE_LIMITS: "on" });
const { pem } = useOpenssl().makeCsr({ san: ["DNS:oftp.acme.example"] });

const GERMAN = { countryId: Number(DE), vat: "DE100" };
const CODES = "codes/completePurchaseJourney";

const check = (client: ApiClient, vatNumber: string) =>
  client.send(`UserRegistration/CheckVatNumber?vatNumber=${vatNumber}`);

/** Uses up the look-ups that the account has in an hour. */
async function useUp(client: ApiClient): Promise<void> {
  let asked = 0;
  while ((await check(client, "DE300")).status === 200) asked += 1;
  expect([59, 60]).toContain(asked);
  service.asked.length = 0;
}

const checksOf = async (userId: number) =>
  (await ordersOf(userId)).map(({ vatNumber, vatNumberChecked }) => [vatNumber, vatNumberChecked]);

test("[PUR-09] [API-03] any number of orders a day with one valid number costs one look-up", async () => {
  const { user, client } = await newProgram();
  for (let times = 0; times < 3; times += 1)
    expect((await client.post(CODES, codeOrderBody({ invoiceAddress: { ...GERMAN, vat: "de 100" } }))).status).toBe(
      200,
    );
  expect((await complete(client, orderBody(pem, { invoiceAddress: GERMAN }))).status).toBe(200);
  expect(service.asked).toHaveLength(1);
  expect(await checksOf(user.id)).toEqual(Array.from({ length: 4 }, () => ["DE100", true]));
});

test("[PUR-09] a number is looked up unless it was found valid today: another one, another customer's, yesterday's", async () => {
  const { user, client } = await newProgram();
  const order = async (by: ApiClient, vat: string) => {
    service.asked.length = 0;
    await by.post(CODES, codeOrderBody({ invoiceAddress: { ...GERMAN, vat } }));
    return service.asked.length;
  };
  expect(await order(client, "DE100")).toBe(1);
  expect(await order(client, "DE300")).toBe(1);
  expect(await order(client, "DE300")).toBe(1);
  expect(await order((await newProgram()).client, "DE100")).toBe(1);
  expect(await order(client, "DE100")).toBe(0);
  const yesterday = new Date(Date.now() - 86_400_000);
  await getDb().updateTable("orders").set({ createdAt: yesterday }).where("userId", "=", user.id).execute();
  expect(await order(client, "DE100")).toBe(1);
});

test("[PUR-09] [API-03] orders are accepted without look-ups left, and an unknown number is left to staff", async () => {
  const { user, client } = await newProgram();
  const ordered = (vat: string) => client.post(CODES, codeOrderBody({ invoiceAddress: { ...GERMAN, vat } }));
  await ordered("DE100");
  await useUp(client);
  expect((await ordered("DE100")).status).toBe(200);
  expect((await ordered("DE200")).status).toBe(200);
  expect((await client.post(COMPLETE, orderBody(pem, { invoiceAddress: { ...GERMAN, vat: "DE200" } }))).status).toBe(
    200,
  );
  expect(service.asked).toEqual([]);
  expect(await checksOf(user.id)).toEqual([
    ["DE100", true],
    ["DE100", true],
    ["DE200", false],
    ["DE200", false],
  ]);
});

test("[PUR-09] the page of the wizard accepts such an order too", async () => {
  const buyer = await buyerAtInvoice(pem);
  await useUp(await apiClientOf(buyer.user.email, TEST_PASSWORD));
  const answer = await buyer.invoice({ country: DE, vat: "DE100" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, buyer.url("order-complete")]);
  expect(await checksOf(buyer.user.id)).toEqual([["DE100", false]]);
});

test("[USR-04] user details are saved without look-ups left: a number stored as valid stays so, another is unchecked", async () => {
  const { user, visitor } = await customer();
  await useUp(await apiClientOf(user.email, TEST_PASSWORD));
  expect((await save(visitor, { position: "CEO" })).status).toBe(303);
  expect(await getProfile(user.id)).toMatchObject({ position: "CEO", vatNumber: GB_VAT, vatNumberChecked: true });
  expect((await save(visitor, { vatNumber: "GB123456789" })).status).toBe(303);
  expect(await getProfile(user.id)).toMatchObject({ vatNumber: "GB123456789", vatNumberChecked: false });
  expect(service.asked).toEqual([]);
});

test("[API-02] the call that only checks numbers names the limit and when to try again, and still answers what needs no look-up", async () => {
  const { client } = await newProgram();
  await useUp(client);
  const refused = await check(client, "DE100");
  const seconds = Number(refused.headers.get("Retry-After"));
  expect(refused.status).toBe(429);
  expect(seconds).toBeGreaterThan(3000);
  const { errorCode, responseText } = (await refused.json()) as Record<string, string>;
  expect([errorCode, responseText]).toEqual([
    "rate-limit",
    `Too many attempts: at most 60 checks of VAT numbers by one account within 60 minutes. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
  ]);
  expect(await client.get("UserRegistration/CheckVatNumber", { vatNumber: "DE-" })).toMatchObject({
    status: 200,
    content: false,
  });
});
