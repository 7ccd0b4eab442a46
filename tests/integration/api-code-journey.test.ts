import { expect, test } from "vitest";
import { apiClientOf, newProgram } from "../support/api";
import { type AnsweredCode, readCode, updateCode } from "../support/api-codes";
import { codeOrderBody } from "../support/api-orders";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

test("[API-03] a program asks the price, orders, waits for the payment, registers, changes and cancels", async () => {
  const { client } = await newProgram();
  const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
  const prices = (await client.get<{ codeType: string; price: number }[]>("codes/getPricings")).content;
  const { codeType = "", price = 0 } = prices.find((one) => one.codeType === "OSCAR Code Basic") ?? {};

  const order = { codeType, quantity: 2, netAmount: 2 * price };
  const placed = await client.post<{ orderId: number }>("codes/completePurchaseJourney", codeOrderBody({ order }));
  const available = async () => (await client.get("codes/getcodesavailable")).content;
  expect(await available()).toEqual([]);
  const paid = { id: placed.content.orderId, status: "Paid", paymentTotal: 2.4 * price };
  expect((await staff.post("codes/updateSalesOrder", paid)).status).toBe(200);
  expect(await available()).toEqual([{ codeType, quantity: 2 }]);

  const entity = { code: { codeType, entityName: "Plant Nord" } };
  const { content: parent } = await client.post<AnsweredCode>("codes/registerNewEntity", entity);
  expect(await available()).toEqual([{ codeType, quantity: 1 }]);
  const gate = { parentId: parent.id, subcode: "g1" };
  expect((await client.post("codes/checkSubEntityExist", gate)).content).toBe(false);
  const sub = { code: { ...gate, entityName: "Gate 1" } };
  const { content: child } = await client.post<AnsweredCode>("codes/registerNewSubEntity", sub);
  expect((await client.post("codes/checkSubEntityExist", gate)).content).toBe(true);
  expect(child.fullCode).toBe(`${parent.code}G1`);

  const whole = await readCode(client, child.id);
  const changed = { ...whole.code, entityName: "Gate 2", directParent: parent.code };
  expect((await updateCode(client, changed, { ...whole, code: changed })).content).toBe(true);
  const found = await client.get<AnsweredCode[]>("codes/search", { code: parent.code, subCode: "G1" });
  expect(found.content).toMatchObject([{ id: child.id, entityName: "Gate 2" }]);
  for (const { id } of [child, parent])
    expect((await updateCode(client, { id, status: "Cancelled" })).content).toBe(true);
  expect((await client.post("codes/registerNewSubEntity", { code: { ...sub.code, subcode: "g2" } })).status).toBe(409);
});
