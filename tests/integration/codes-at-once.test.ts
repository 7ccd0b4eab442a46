import { expect, test } from "vitest";
import { insertWithNewCode } from "~/domain/codes/allocation.server";
import { SUBCODE_EXISTS } from "~/domain/codes/registration.service.server";
import { getDb } from "~db/connection.server";
import { listAvailableCodes } from "~db/repositories/available-codes.server";
import { countSubcodes, findCode } from "~db/repositories/codes.server";
import { inTransaction } from "~db/transaction.server";
import { begin, ENTITY, send } from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { errorsOf, signedInAs } from "../support/visitor";

usePortal();

const customer = async () => {
  const user = await createUser();
  return { user, visitor: await signedInAs(user) };
};

test("[COD-10] of 200 registrations at once with 100 codes available 100 succeed with different codes, and the others are told", async () => {
  const { user, visitor } = await customer();
  const orders = [await createAvailableCodes(user, "Full", 60), await createAvailableCodes(user, "Full", 40)];
  const forms = await Promise.all(Array.from({ length: 200 }, () => begin(visitor, { type: "Full" })));
  const answers = await Promise.all(forms.map((form) => send(visitor, form, ENTITY)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(303), count(409)]).toEqual([100, 100]);
  for (const answer of answers.filter(({ status }) => status === 409))
    expect((await errorsOf(answer)).errors).toEqual({
      form: "You have no OSCAR Code Full available to register. Please purchase one first.",
    });
  const codes = await getDb().selectFrom("codes").select(["code", "orderId"]).where("userId", "=", user.id).execute();
  expect(new Set(codes.map(({ code }) => code)).size).toBe(100);
  const perOrder = orders.map((order) => codes.filter(({ orderId }) => orderId === order).length);
  expect(perOrder).toEqual([60, 40]);
  expect(await listAvailableCodes(getDb(), user.companyId)).toEqual([]);
}, 120_000);

test("[COD-10] of simultaneous registrations of one subcode one succeeds", async () => {
  const { user, visitor } = await customer();
  const parent = await createCode(user);
  const forms = await Promise.all(Array.from({ length: 8 }, () => begin(visitor, { parent: parent.id })));
  const answers = await Promise.all(forms.map((form) => send(visitor, form, { ...ENTITY, subcode: "01" })));
  const refused = answers.filter(({ status }) => status === 422);
  expect([answers.length - refused.length, refused.length]).toEqual([1, 7]);
  for (const answer of refused) expect((await errorsOf(answer)).errors).toEqual({ subcode: SUBCODE_EXISTS });
  expect(await countSubcodes(getDb(), parent.id)).toBe(1);
});

test("[COD-05] [COD-10] a Basic code has at most 100 sub-entities, also when the 100th and 101st come at once", async () => {
  const { user, visitor } = await customer();
  const parent = await createCode(user, { codeType: "Basic" });
  const subcode = (index: number) => String(index).padStart(2, "0");
  for (let index = 1; index < 100; index += 1)
    await createCode(user, {
      codeType: "Basic",
      code: parent.code,
      subcode: subcode(index),
      parentId: parent.id,
      status: index % 2 ? "Registered" : "Cancelled", // sub-codes of any status count
    });
  const forms = await Promise.all(["A1", "A2", "A3"].map(() => begin(visitor, { parent: parent.id })));
  const answers = await Promise.all(
    forms.map((form, index) => send(visitor, form, { ...ENTITY, subcode: `A${index}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409))
    expect((await errorsOf(answer)).errors).toEqual({
      form: "The code has all the sub-entities that it may have: 100.",
    });
  expect(await countSubcodes(getDb(), parent.id)).toBe(100);
}, 60_000);

test("[COD-10] a drawn code that exists is drawn again, whatever its status", async () => {
  const { user } = await customer();
  const taken = await createCode(user, { status: "Cancelled" });
  const { id: _, ...stored } = taken;
  const now = new Date();
  const flags = { sbeCanRegister: true, useCompanyAddress: true, usePhysicalAddress: true };
  const rowOf = (code: string) => Promise.resolve({ ...stored, ...flags, code, createdAt: now, updatedAt: now });

  const draws = [taken.code, taken.code, "IOIO"]; // I and O are never drawn by chance
  const { code, id } = await inTransaction((trx) => insertWithNewCode(trx, rowOf, () => draws.shift() ?? ""));
  expect([code, draws.length, (await findCode(getDb(), id))?.code]).toEqual(["IOIO", 0, "IOIO"]);

  const nothingLeft = inTransaction((trx) => insertWithNewCode(trx, rowOf, () => taken.code));
  await expect(nothingLeft).rejects.toThrow("No code of this type is left.");
});
