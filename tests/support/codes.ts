import { randomInt } from "node:crypto";
import { SUB_ENTITIES } from "~/domain/codes/code-types";
import { codeSearchColumns } from "~/domain/codes/search-columns";
import { getDb } from "~db/connection.server";
import { addAvailableCodes } from "~db/repositories/available-codes.server";
import { findCode, insertCode } from "~db/repositories/codes.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertOrder } from "~db/repositories/orders.server";
import { type CodeType, type NewRow } from "~db/tables";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { inTransaction } from "~db/transaction.server";

const GB = 826;
const SYMBOLS = "0123456789ABCDEFGHJKLMNPQRSTUVWYZ"; // no X as the first symbol, and no I and O

const COUNT = SYMBOLS.length ** 3;
let made = randomInt(COUNT);

/**
 * Returns three symbols that this process has not used for another code. They are not in ascending order: 7919 is coprime to their number.
 */
function threeSymbols(): string {
  made += 1;
  let rest = (made * 7919) % COUNT;
  let text = "";
  for (let place = 0; place < 3; place += 1, rest = Math.floor(rest / SYMBOLS.length))
    text += SYMBOLS[rest % SYMBOLS.length];
  return text;
}

interface Owner {
  id: number;
  email: string;
  company: string;
}

/** Stores an order of codes. Returns its id. */
export const createCodeOrder = (
  owner: Owner,
  codeType: CodeType,
  numberOfCodes: number,
  given: Partial<NewRow<"orders">> = {},
) =>
  inTransaction(async (trx) => {
    const now = new Date();
    const cents = 30_000 * numberOfCodes;
    return insertOrder(trx, {
      purchaseOrderType: PURCHASE_ORDER_TYPE.code,
      userId: owner.id,
      companyId: await findCompanyId(trx, owner.id),
      status: "Open",
      purchaseOrderNumber: "PO-1",
      createdAt: now,
      updatedAt: now,
      priceCents: cents,
      discountCents: 0,
      netCents: cents,
      vatRate: 0,
      vatCents: 0,
      totalCents: cents,
      invoiceAddress: "{}",
      countryId: GB,
      company: owner.company,
      codeType,
      numberOfCodes,
      isMaintenance: false,
      ...given,
    });
  });

/** Stores a paid order whose codes are available. Returns its id. */
export async function createAvailableCodes(owner: Owner, codeType: CodeType, quantity: number): Promise<number> {
  const paymentDate = new Date();
  const orderId = await createCodeOrder(owner, codeType, quantity, { status: "Paid", paymentDate });
  const companyId = await findCompanyId(getDb(), owner.id);
  await inTransaction((trx) =>
    addAvailableCodes(trx, { orderId, userId: owner.id, companyId, codeType, quantity, createdAt: paymentDate }),
  );
  return orderId;
}

/** Stores a registered code, or a sub-code with `parentId` and `subcode`. It has the company's address. */
export async function createCode(owner: Owner, given: Partial<NewRow<"codes">> & { city?: string } = {}) {
  const { city = "Coventry", ...columns } = given;
  const codeType = given.codeType ?? "Full";
  const now = new Date();
  const { canRegister, maxNumber } = SUB_ENTITIES[codeType];
  const named = {
    codeType,
    code: `${codeType === "OFTP" ? "X" : "Z"}${threeSymbols()}`,
    subcode: "",
    entityName: "Example Parts Plant 1",
    ...columns,
  };
  const id = await inTransaction(async (trx) =>
    insertCode(trx, {
      userId: owner.id,
      companyId: await findCompanyId(trx, owner.id),
      status: "Registered",
      sbeCanRegister: canRegister && named.subcode === "",
      sbeMaxNumber: named.subcode === "" ? maxNumber : null,
      useCompanyAddress: true,
      usePhysicalAddress: true,
      createdAt: now,
      updatedAt: now,
      ...codeSearchColumns(named, { company: owner.company, email: owner.email, city, countryId: GB }),
      ...named,
    }),
  );
  const code = await findCode(getDb(), id);
  if (!code) throw new Error(`The code ${id} is missing.`);
  return code;
}
