import { describe, expect, test } from "vitest";
import { findCalls } from "~/api/table.server";
import { readCsrInput } from "~/domain/certificates/request/csr-import.service.server";
import * as memberPage from "~/routes/home.company_.$id";
import { getConnection, getDb, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { storedUser } from "../support/administration";
import { newProgram } from "../support/api";
import { ENTITY_CALL } from "../support/api-codes";
import { codeOrderBody, COMPLETE, orderBody } from "../support/api-orders";
import { verified } from "../support/audit";
import { createAvailableCodes } from "../support/codes";
import { createColleague, personOf, rolesIn } from "../support/companies";
import { erase } from "../support/erasure";
import { createUser } from "../support/factories";
import { oneAfterTheOther, type Work } from "../support/lock-waits";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { run, signedInAs } from "../support/visitor";
import { buyerAtInvoice } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

/** Starts `other` while the erasure of a person has been decided and is being carried out. */
async function duringErasure(person: { id: number }, other: Work): Promise<void> {
  const setting = { name: "queryParams", userId: person.id, value: "{}", updatedAt: new Date() };
  await getDb().insertInto("settings").values(setting).execute();
  const hold = (trx: Trx) =>
    trx.updateTable("settings").set({ value: "held" }).where("userId", "=", person.id).execute();
  await oneAfterTheOther(hold, () => erase(person), other);
}

/** The number of orders and codes of a person. */
async function countOf({ id }: { id: number }): Promise<number> {
  const rows = await Promise.all(
    (["orders", "codes"] as const).map((table) =>
      getDb().selectFrom(table).select("id").where("userId", "=", id).execute(),
    ),
  );
  return rows.flat().length;
}

/** Returns whether the person was erased, and how many orders and codes they have in addition. Both at once would be a mistake. */
async function outcomeFor(user: { id: number }, before = 0) {
  expect((await verified()).problems).toEqual([]);
  return { isErased: (await storedUser(user)).erasedAt !== null, added: (await countOf(user)) - before };
}

const ERASED = { isErased: true, added: 0 };
const ORDERED = { isErased: false, added: 1 };

/** Returns what is expected on PostgreSQL, where the test decides what comes first. On SQLite it can be the other outcome. */
const expected = (outcome: unknown, other: unknown): unknown =>
  getConnection().dialect === "postgres" ? outcome : expect.toBeOneOf([outcome, other]);

/** What a person can order or register, by the path of the call. */
const ORDERS = [
  ["an order of a certificate", COMPLETE, () => orderBody(makeCsr().pem)],
  ["an order of codes", "codes/completePurchaseJourney", () => codeOrderBody()],
  ["the registration of a code", "codes/registerNewEntity", () => ({ code: ENTITY_CALL })],
] as const;

describe("an erasure and what the person does at the same time", () => {
  test("[PUR-08] waits for an order that is being placed, and is refused because of it", async () => {
    const { user, client } = await newProgram();
    const { pem } = makeCsr();
    const { read } = readCsrInput(pem);
    const key = read.ok ? read.csr.keyIdentity : expect.fail(read.message);
    await oneAfterTheOther(
      (trx) => lockKey(trx, key),
      () => client.post(COMPLETE, orderBody(pem)),
      () => erase(user),
    );
    expect(await outcomeFor(user)).toEqual(expected(ORDERED, ERASED));
  });

  test.each(ORDERS)("[PUR-08] makes %s wait, which is then refused", async (_, path, body) => {
    const { user, client } = await newProgram();
    await createAvailableCodes(user, "Full", 1);
    const before = await countOf(user);
    await duringErasure(user, () => client.post(path, body()));
    expect(await outcomeFor(user, before)).toEqual(expected(ERASED, ORDERED));
  });

  test("of an owner makes the other owner, who leaves, wait and stay", async () => {
    const [person, other] = [await createUser(), await createUser()];
    const { companyId } = other;
    await createColleague(other, "reader");
    const membership = { companyId, userId: person.id, role: "owner", joinedAt: new Date() } as const;
    await getDb().insertInto("memberships").values(membership).execute();
    const leaving = await (
      await signedInAs(other)
    ).post(`/home/company/${other.id}`, { intent: "remove", confirmed: "yes" });
    await duringErasure(person, () => run(memberPage.action, leaving, { id: String(other.id) }));
    const owners = Object.entries(await rolesIn(other)).filter(([, role]) => role === "owner");
    expect(owners).toEqual(expected([[String(other.id), "owner"]], [[String(person.id), "owner"]]));
  });

  test("[PUR-08] and an order on the pages end in one of both", async () => {
    const buyer = await buyerAtInvoice(makeCsr().pem);
    const fields = await buyer.invoiceFields();
    const [order] = await Promise.allSettled([buyer.invoice(fields), erase(buyer.user)]);
    expect(order.status).toBe("fulfilled");
    expect(await outcomeFor(buyer.user)).toEqual(expect.toBeOneOf([ERASED, ORDERED]));
  });
});

test.each(ORDERS)(
  "[PUR-08] %s whose person was erased after the login was checked is refused",
  async (_, path, body) => {
    const user = await createUser();
    await createAvailableCodes(user, "Full", 1);
    const [before, session] = [await countOf(user), await personOf(user)];
    await erase(user);
    const call = findCalls(path)?.calls[0] ?? expect.fail(`There is no call ${path}.`);
    const caller = { request: new Request("http://portal.test"), address: "", user: session, owner: null, params: {} };
    await expect(call.handle(call.input.parse(body()), caller)).rejects.toMatchObject({ status: 403 });
    expect(await outcomeFor(user, before)).toEqual(ERASED);
  },
);
